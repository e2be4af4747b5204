import '../../ui/skeleton.css';
import '../../ui/light-card.css';
import '../../ui/rows.css';
import { EditOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { Flex, Typography } from 'antd';
import { useReward } from '../../api/profile/get.reward';
import { useKnownUser } from '../../api/session/useKnownUser';
import { LoadFailure } from '../../ui/LoadFailure';
import { LinkButton } from '../../ui/LinkButton';
import { RankCard } from '../../ui/RankCard';
import { UserAvatar } from '../../ui/UserAvatar';
import { ContactTiles } from './ContactTiles';
import { ProjectsCard } from './ProjectsCard';
import { SocialsCard } from './SocialsCard';
import { WalletsCard } from './WalletsCard';
import styles from './profile.module.css';

/** `/profile`: the user, their rank and projects, and the linked sign-in methods. */
export function ProfilePage() {
  const { user, error, retry } = useKnownUser();
  const reward = useReward();

  return (
    <div className="stack">
      <section className="light-card banner" aria-labelledby="profile-title">
        <div className="banner-words">
          <h1 id="profile-title">My Profile</h1>
          <Person user={user} isLoading={!user && !error} />
        </div>
        <LinkButton to="/settings" type="primary" icon={<EditOutlined aria-hidden />}>
          Edit profile
        </LinkButton>
      </section>
      {error ? (
        <section className="light-card" aria-label="Contact">
          <LoadFailure title="Failed to load your profile" error={error} onRetry={retry} />
        </section>
      ) : (
        <ContactTiles user={user} />
      )}
      <div className={`stack ${styles.columns}`}>
        <RankCard reward={reward} />
        <ProjectsCard />
        <SocialsCard />
        <WalletsCard user={user} hasFailed={error !== null} />
      </div>
    </div>
  );
}

function Person({ user, isLoading }: { user: IdentityUser | null; isLoading: boolean }) {
  if (isLoading)
    return (
      <Flex gap={16} align="center" className={styles.person} role="status" aria-label="Loading">
        <span className="skeleton skeleton-round" style={{ width: 72, height: 72 }} />
        <div className="rows-words">
          <span className="skeleton skeleton-line-20" />
          <span className="skeleton skeleton-line-14" />
        </div>
      </Flex>
    );
  if (!user) return null;
  return (
    <Flex gap={16} align="center" className={styles.person}>
      <UserAvatar user={user} size={72} />
      <div className="rows-words">
        <h2>{user.displayName?.trim() || user.name?.trim() || 'New Observer'}</h2>
        {user.userName?.trim() && <Typography.Text type="secondary">@{user.userName.trim()}</Typography.Text>}
        {user.bio?.trim() && (
          <Typography.Text type="secondary" className={styles.bio}>
            {user.bio.trim()}
          </Typography.Text>
        )}
      </div>
    </Flex>
  );
}
