import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { Card } from 'antd';
import { Link } from 'react-router-dom';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';
import { useSignInMethods } from '../../api/account/get.sign-in.methods';
import { KeptElsewhere } from '../../ui/KeptElsewhere';
import { QueryFailure } from '../../ui/LoadFailure';
import { RowsShape } from '../../ui/PageShapes';
import { ActiveSessions } from './ActiveSessions';
import { EmailConfirmation } from './EmailConfirmation';
import { PasswordChange } from './PasswordChange';
import { RecentChanges } from './RecentChanges';
import { SettingsSection } from './SettingsSection';

/** The account's password, recent changes and sessions. */
export function SignInSection({ user }: { user: IdentityUser }) {
  const keptAt = useAccountElsewhere();
  if (keptAt === null) return <OwnSignIn user={user} />;
  return (
    <SettingsSection title="Sign-in">
      <Card>
        {keptAt === undefined ? (
          <div role="status" aria-label="Loading">
            <RowsShape />
          </div>
        ) : (
          <KeptElsewhere address={keptAt} path="/settings" />
        )}
      </Card>
    </SettingsSection>
  );
}

function OwnSignIn({ user }: { user: IdentityUser }) {
  const query = useSignInMethods();
  const { data, isPending, error } = query;
  const email = data?.find(({ provider }) => provider === 'email');
  const unconfirmed = [
    ...new Set([
      ...(user.email && !user.emailVerified ? [user.email] : []),
      ...(email && !email.isVerified ? [email.label] : []),
    ]),
  ];

  return (
    <SettingsSection
      title="Sign-in"
      help={
        <>
          <span>
            {email
              ? 'Your password and sessions. Your other sign-in methods are on '
              : 'Your sessions and recent changes. Your sign-in methods are on '}
          </span>
          <Link to="/profile">your profile</Link>.
        </>
      }
    >
      <EmailConfirmation key={unconfirmed.join(' ')} addresses={unconfirmed} />
      {(email || error || isPending) && (
        <Card>
          {email ? (
            <PasswordChange email={email.label} />
          ) : error ? (
            <QueryFailure title="Failed to load your password settings" query={query} />
          ) : (
            <div role="status" aria-label="Loading">
              <RowsShape />
            </div>
          )}
        </Card>
      )}
      <RecentChanges />
      <ActiveSessions />
    </SettingsSection>
  );
}
