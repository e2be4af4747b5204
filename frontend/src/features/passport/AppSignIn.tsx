import type { AppFlowInfo } from '@orange-id/contract/tenant.schema';
import { limits } from '@orange-id/contract/limits';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Typography } from 'antd';
import { useEffect, useMemo } from 'react';
import { fromPromise } from 'xstate';
import { useConfig } from '../../api/config/config.context';
import { HttpError } from '../../api/http';
import { getAppFlow, handOverTokens } from '../../api/session/app.flow';
import { useAppLook } from '../../api/session/get.app.look';
import { useAuth } from '../../api/session/auth.context';
import { signOutPassport } from '../../api/session/sign.out.passport';
import { readTokens } from '../../api/token.storage';
import { inspected } from '../../inspect/machine.inspect';
import { EmailText } from '../../ui/EmailText';
import { LoadFailure } from '../../ui/LoadFailure';
import { Logo } from '../../ui/Logo';
import { UserAvatar } from '../../ui/UserAvatar';
import { appSignInMachine, type HandOver } from './app.sign-in.machine';
import { PanelSkeleton, PassportPanel } from './PassportPanel';
import styles from './passport.module.css';

/** A response that says that the sign-in is over, as opposed to one that may differ at the next try. */
const isOver = (error: unknown): boolean =>
  error instanceof HttpError && error.status >= 400 && error.status < 500 && error.status !== 429;

async function readFlow(flowId: string, signal: AbortSignal): Promise<AppFlowInfo | 'expired'> {
  try {
    return await getAppFlow(flowId, signal);
  } catch (error) {
    if (isOver(error)) return 'expired';
    throw error;
  }
}

async function handOver(
  flowId: string,
  tokens: Parameters<typeof handOverTokens>[1],
  signal: AbortSignal,
): Promise<HandOver> {
  try {
    return { outcome: 'accepted', next: await handOverTokens(flowId, tokens, signal) };
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return { outcome: 'refused' };
    if (isOver(error)) return { outcome: 'expired' };
    throw error;
  }
}

/** The session at the portal as it is stored now; a missing token is one that the portal refuses. */
function storedTokens() {
  const { accessToken, refreshToken } = readTokens();
  return { token: accessToken ?? '', refreshToken: refreshToken ?? '', isTemporary: false };
}

/** `/login?app=`: signs in to another site, whose name and origin it shows. */
export function AppSignIn({ flowId }: { flowId: string }) {
  const { isAuthenticated, user } = useAuth();
  const { identity } = useConfig();
  const machine = useMemo(
    () =>
      appSignInMachine.provide({
        actors: {
          readFlow: fromPromise(({ signal }) => readFlow(flowId, signal)),
          handOver: fromPromise(({ input, signal }) => handOver(flowId, input ?? storedTokens(), signal)),
        },
        actions: {
          endTemporary: (_, tokens) => {
            if (!tokens) return;
            // A failure is ignored: the session also ends unused.
            const signal = AbortSignal.timeout(limits.userRequestTimeoutMs);
            void signOutPassport(identity.baseUrl, tokens.token, signal).catch(() => undefined);
          },
          goOn: (_, answer) => answer.outcome === 'accepted' && window.location.assign(answer.next),
        },
      }),
    [flowId, identity],
  );
  const signIn = useActorRef(machine, { ...inspected, input: { isSignedIn: isAuthenticated } });
  const snapshot = useSelector(signIn, (current) => current);
  const { flow, error, wasRefused, isSignedIn } = snapshot.context;

  useEffect(() => {
    const restore = (event: PageTransitionEvent) => event.persisted && signIn.send({ type: 'page.restore' });
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, [signIn]);

  const app = useMemo(
    () => ({
      flowId,
      onTokens: ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) =>
        signIn.send({ type: 'tokens.arrive', token: accessToken, refreshToken }),
    }),
    [flowId, signIn],
  );
  const { look, isLoading } = useAppLook(flow?.app.projectId ?? null);
  const begin = flow?.method === 'email' || flow?.method === 'wallet' ? flow.method : null;

  return (
    <main className={styles.appPage} data-machine="appSignIn" data-state={snapshot.value}>
      <Logo />
      {flow && !snapshot.matches('expired') && <AppName app={flow.app} />}
      {!flow && !snapshot.matches('expired') && <h1 className="visually-hidden">Sign in</h1>}
      {renderStep()}
    </main>
  );

  function renderStep() {
    switch (snapshot.value) {
      case 'expired':
        return <Expired app={flow?.app ?? null} />;
      case 'unread':
      case 'unsent':
        return (
          <Card className={styles.loginPanel}>
            <LoadFailure
              title={snapshot.value === 'unread' ? 'Failed to load this sign-in' : 'Failed to sign in'}
              error={error}
              onRetry={() => signIn.send({ type: 'request.retry' })}
            />
          </Card>
        );
      case 'choosingAccount':
        return (
          <Card className={styles.loginPanel}>
            <Flex vertical gap={12}>
              <Flex gap={12} align="center" className={styles.appAccount}>
                <UserAvatar user={user} size={40} />
                <div>
                  <strong>{user?.displayName ?? 'Your Orange ID account'}</strong>
                  {user?.email && (
                    <Typography.Text type="secondary">
                      <EmailText email={user.email} />
                    </Typography.Text>
                  )}
                </div>
              </Flex>
              <Button
                block
                size="large"
                type="primary"
                onClick={() => signIn.send({ type: 'account.continue' })}
              >
                {`Continue as ${user?.displayName ?? 'this account'}`}
              </Button>
              <Button block size="large" onClick={() => signIn.send({ type: 'account.change' })}>
                Use another account
              </Button>
            </Flex>
          </Card>
        );
      case 'signingIn':
        return (
          <>
            {wasRefused && (
              <Alert
                className={styles.loginPanel}
                type="info"
                showIcon
                role="status"
                title="Your session has ended. Sign in again to continue."
              />
            )}
            {isLoading ? <PanelSkeleton /> : <PassportPanel app={app} begin={begin} look={look} />}
            {isSignedIn && (
              <Button type="text" onClick={() => signIn.send({ type: 'account.keep' })}>
                Back to your account
              </Button>
            )}
          </>
        );
      default:
        return <PanelSkeleton />;
    }
  }
}

/** While the session at the portal is checked. */
export function AppSignInSkeleton() {
  return (
    <main className={styles.appPage}>
      <Logo />
      <h1 className="visually-hidden">Sign in</h1>
      <PanelSkeleton />
    </main>
  );
}

/** The app's owner chooses its name, so the origin is always beside it. */
function AppName({ app }: { app: AppFlowInfo['app'] }) {
  return (
    <div className={styles.appName}>
      <h1>
        Sign in to <bdi>{app.name}</bdi>
      </h1>
      <p>
        <span>{app.isLocal && 'An app on this computer: '}</span>
        <code>{app.origin}</code>
      </p>
    </div>
  );
}

function Expired({ app }: { app: AppFlowInfo['app'] | null }) {
  const isWindow = Boolean(window.opener);
  return (
    <>
      <div className={styles.appName}>
        <h1>This sign-in has expired</h1>
        <p>
          It was already finished, started in another browser or took too long. Start it again
          <span>
            {app ? (
              <>
                {' '}
                at <code>{app.origin}</code>.
              </>
            ) : (
              ' on the site you came from.'
            )}
          </span>
        </p>
      </div>
      {isWindow ? (
        <Button size="large" type="primary" onClick={() => window.close()}>
          Close this window
        </Button>
      ) : app ? (
        <Button size="large" type="primary" href={app.origin}>
          Back to {new URL(app.origin).host}
        </Button>
      ) : (
        <Button size="large" type="primary" onClick={() => window.history.back()}>
          Go back
        </Button>
      )}
    </>
  );
}
