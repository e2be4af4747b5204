import '../../ui/rows.css';
import { profileFieldNames, profileFields } from '@orange-id/contract/profile.fields';
import { Card, Flex } from 'antd';
import { queryKeys } from '../../api/cache/query.keys';
import { useKnownUser } from '../../api/session/useKnownUser';
import { useReadAgainWhenShown } from '../../api/cache/useReadAgain';
import { LoadFailure } from '../../ui/LoadFailure';
import { PageHead } from '../../ui/PageHead';
import { SettingsShape } from '../../ui/PageShapes';
import { AvatarSection } from './AvatarSection';
import { CommunityMail } from './CommunityMail';
import { ConnectedApps } from './ConnectedApps';
import { DataArchive } from './DataArchive';
import { DeleteAccount } from './DeleteAccount';
import { EmailState } from './EmailState';
import { ProfileField } from './ProfileField';
import { SettingsSection } from './SettingsSection';
import { SignInSection } from './SignInSection';
import { confirmableKeys } from './useReadUntilConfirmed';
import styles from './settings.module.css';

const shownKeys = [
  ...confirmableKeys,
  queryKeys.accountChanges,
  queryKeys.activeSessions,
  queryKeys.connectedApps,
];

/** `/settings`: the profile fields, each with a view and an edit state, then the sign-in section, the connected apps, the email and the picture. */
export function SettingsPage() {
  const { user, error, retry } = useKnownUser();
  useReadAgainWhenShown(shownKeys);

  return (
    <div className={styles.root}>
      <PageHead
        title="Settings"
        help="Your account, sign-in and photo. Creating a project requires a display name and an email."
      />
      {user ? (
        <Flex vertical gap={40}>
          <SettingsSection title="Account">
            <Card>
              <div className="rows">
                {profileFieldNames.map((field) => (
                  <ProfileField
                    key={`${field} ${user.id}`}
                    field={field}
                    value={user[profileFields[field].storedAs] ?? ''}
                    userId={user.id}
                  >
                    {field === 'email' && user.email && user.emailVerified !== undefined && (
                      <EmailState isVerified={user.emailVerified} usedUntilThen={user.confirmedEmail} />
                    )}
                  </ProfileField>
                ))}
              </div>
            </Card>
          </SettingsSection>
          <SignInSection user={user} />
          <ConnectedApps user={user} />
          <CommunityMail />
          <AvatarSection user={user} />
          <DataArchive />
          <DeleteAccount />
        </Flex>
      ) : error ? (
        <LoadFailure title="Failed to load your profile" error={error} onRetry={retry} />
      ) : (
        <div role="status" aria-label="Loading">
          <SettingsShape />
        </div>
      )}
    </div>
  );
}
