import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { Card } from 'antd';
import { useSignInMethods } from '../../api/get.sign-in.methods';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
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
              <ListState
                isLoading={isPending}
                error={error}
                errorTitle="Your ways to sign in could not be loaded"
                onRetry={() => void refetch()}
                isEmpty={data?.length === 0}
                emptyTitle="None is known here"
                skeleton={<span className="profile-field-value profile-field-unset">Loading</span>}
              >
                <span className="profile-field-value">{names.join(', ')}</span>
              </ListState>
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

const methodNames = { email: 'Email', wallet: 'Wallet', google: 'Google', apple: 'Apple' };
