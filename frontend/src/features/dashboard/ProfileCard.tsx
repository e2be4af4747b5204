import { ExclamationCircleOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { Link } from 'react-router-dom';
import { useKnownUser } from '../../api/session/useKnownUser';
import { SendLinkButton } from '../../ui/SendLinkButton';
import { UserAvatar } from '../../ui/UserAvatar';
import { LoadFailure } from '../../ui/LoadFailure';
import styles from './dashboard.module.css';

/** Display name, username and picture, each with a fallback. */
export function ProfileCard() {
  const { user, error, retry } = useKnownUser();
  return (
    <section className={`light-card ${styles.profile}`} aria-label="Profile">
      {error ? (
        <LoadFailure title="Failed to load your profile" error={error} onRetry={retry} />
      ) : user ? (
        <Person user={user} />
      ) : (
        <div className="light-card-person" role="status" aria-label="Loading profile">
          <span className="skeleton skeleton-round" style={{ width: 64, height: 64 }} />
          <div>
            <span className="skeleton skeleton-line-20" />
            <span className="skeleton skeleton-line-14" />
            <span className="skeleton skeleton-line-12" />
          </div>
        </div>
      )}
    </section>
  );
}

function Person({ user }: { user: IdentityUser }) {
  return (
    <div className="light-card-person">
      <UserAvatar user={user} size={64} />
      <div>
        <h2>{user.displayName?.trim() || user.name?.trim() || 'New Observer'}</h2>
        <p className={styles.profileUser}>{`@${user.userName?.trim() || 'observer'}`}</p>
        <p className="note">
          {user.email ? (
            <span title={user.email}>{user.email}</span>
          ) : (
            <Link to="/settings">Add your email</Link>
          )}
        </p>
        {user.email && user.emailVerified === false && (
          <div className={`note ${styles.profileUnconfirmed}`}>
            <span>
              <ExclamationCircleOutlined aria-hidden /> Email not confirmed.{' '}
              <Link to="/settings#confirm-email">Confirm email</Link>
            </span>
            <SendLinkButton email={user.email} />
          </div>
        )}
      </div>
    </div>
  );
}
