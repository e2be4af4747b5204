import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { Button, Card } from 'antd';
import { useSignInMethods } from '../../api/get.sign-in.methods';
import { LinkButton } from '../../ui/LinkButton';
import { methodNames } from '../../ui/method.names';
import { ActiveSessions } from './ActiveSessions';
import { EmailConfirmation } from './EmailConfirmation';
import { PasswordChange } from './PasswordChange';

/** Below the profile: how and where this account is signed in. */
export function SignInSection({ user }: { user: IdentityUser }) {
  const { data, isPending, error, refetch } = useSignInMethods();
  const email = data?.find(({ provider }) => provider === 'email');
  const unconfirmed = [
    ...new Set([
      ...(user.email && !user.emailVerified ? [user.email] : []),
      ...(email && !email.isVerified ? [email.label] : []),
    ]),
  ];
  const names = [...new Set(data?.map(({ provider }) => methodNames[provider]))];

  return (
    <section className="settings-sign-in" aria-labelledby="settings-sign-in-title">
      <h2 id="settings-sign-in-title">Sign-in</h2>
      <p className="settings-section-help">How this account is entered, and where it is open.</p>
      <EmailConfirmation key={unconfirmed.join(' ')} addresses={unconfirmed} />
      <Card>
        <div className="settings-fields">
          <div className="profile-field">
            <div className="profile-field-words">
              <span className="profile-field-label">Sign-in methods</span>
              {error ? (
                <span className="profile-field-value settings-failure" role="alert">
                  They could not be loaded.
                  <Button size="small" onClick={() => void refetch()}>
                    Retry
                  </Button>
                </span>
              ) : (
                <span className={names.length > 0 ? 'profile-field-value' : 'profile-field-unset'}>
                  {isPending ? 'Loading' : names.join(', ') || 'None is known here'}
                </span>
              )}
            </div>
            <LinkButton to="/login?from=profile">Manage sign-in methods</LinkButton>
          </div>
          {email && <PasswordChange email={email.label} />}
        </div>
      </Card>
      <ActiveSessions />
    </section>
  );
}
