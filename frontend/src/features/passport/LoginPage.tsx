import { BedrockPassportProvider, LoginPanel } from '@bedrock_org/passport';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button, Skeleton } from 'antd';
import { useEffect, useId, useMemo } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { fromCallback, fromPromise } from 'xstate';
import { useAuth } from '../../api/auth.context';
import { useConfig } from '../../api/config.context';
import { readVersion } from '../../api/get.version';
import { inspected, stateName } from '../../api/machine.inspect';
import { readSource } from '../../api/source.storage';
import { Catch } from '../../ui/Catch';
import { Logo } from '../../ui/Logo';
import { beginFlow, endFlow } from './flow.marker';
import './passport.css';
import { passportMachine, type PassportFailure } from './passport.machine';
import { watchPanel } from './watch.panel';

/** The sign-in page (spec §2): who is signed in goes on, unless they came from the profile to link another method. */
export function LoginPage() {
  const { isAuthenticated, isLoading } = useAuth();
  const [query] = useSearchParams();
  const isLinking = query.get('from') === 'profile';
  if (isAuthenticated && !isLinking) return <Navigate to={readSource() ? '/orange-id' : '/'} replace />;

  return (
    <main className="login-page">
      <section className="login-words" aria-label="About Orange ID">
        <Link to="/" className="login-logo">
          <Logo />
        </Link>
        <div className="login-pitch">
          <p className="login-pitch-title">One sign-in for every app you build.</p>
          <ol className="login-steps">
            <li>Sign in, with whatever you use already.</li>
            <li>Name a project, say where it runs, get its API key.</li>
            <li>Call the API and watch the call arrive.</li>
          </ol>
        </div>
      </section>
      <section className="login-place" aria-label="Sign in">
        <h1 className="visually-hidden">Sign in</h1>
        {isLoading ? <PanelSkeleton /> : <Panel />}
      </section>
    </main>
  );
}

function Panel() {
  const { identity } = useConfig();
  const placeId = useId();

  // A callback is accepted for a sign-in that this page began; leaving it inside the app ends that.
  useEffect(() => {
    beginFlow(Date.now());
    return () => endFlow();
  }, []);

  const machine = useMemo(
    () =>
      passportMachine.provide({
        actors: {
          readVersion: fromPromise(() => readVersion(identity)),
          watchPanel: fromCallback(({ input, sendBack }) =>
            watchPanel({
              ...input,
              isShown: () => document.getElementById(placeId)?.hasChildNodes() ?? false,
              send: sendBack,
            }),
          ),
        },
      }),
    [identity, placeId],
  );
  const passport = useActorRef(machine, { ...inspected, input: { isBeta: identity.beta } });
  const state = useSelector(passport, (snapshot) => stateName(snapshot.value));
  const failure = useSelector(passport, (snapshot) => snapshot.context.failure);
  const attempt = useSelector(passport, (snapshot) => snapshot.context.attempt);
  const isMounted = state === 'loadingAssets' || state === 'ready';

  return (
    <div className="login-panel" data-machine="passport" data-state={state}>
      {failure && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title="The sign-in panel could not be loaded"
          description={
            <div className="login-failure">
              <span>{sentenceOf(failure)}</span>
              <Button onClick={() => passport.send({ type: 'passport.retry' })}>Retry</Button>
            </div>
          }
        />
      )}
      {(state === 'waitingForVersion' || state === 'loadingAssets') && <PanelSkeleton />}
      <div id={placeId}>
        {isMounted && (
          <Catch
            key={attempt}
            onError={(error) => passport.send({ type: 'asset.failed', message: error.message })}
          >
            <BedrockPassportProvider
              baseUrl={identity.baseUrl}
              authCallbackUrl={identity.callbackUrl}
              tenantId={identity.tenantId}
              subscriptionKey={identity.subscriptionKey}
              walletConnectId={identity.walletConnectId ?? undefined}
              isBeta={identity.beta}
            >
              <LoginPanel
                title="Sign in to"
                logo="/orange-id.svg"
                logoAlt="Orange ID"
                walletButtonText="Connect Wallet"
                separatorText="OR"
                features={{
                  enableWalletConnect: true,
                  enableAppleLogin: true,
                  enableGoogleLogin: true,
                  enableEmailLogin: true,
                }}
              />
            </BedrockPassportProvider>
          </Catch>
        )}
      </div>
    </div>
  );
}

function PanelSkeleton() {
  return (
    <div className="login-skeleton" role="status" aria-label="Loading">
      <Skeleton.Input active size="large" block />
      {[1, 2, 3, 4].map((row) => (
        <Skeleton.Button key={row} active size="large" block />
      ))}
    </div>
  );
}

function sentenceOf({ code, message }: PassportFailure): string {
  if (code === 'asset' && message) return message;
  if (code === 'late') return 'It did not arrive within 15 seconds. Check the connection and try again.';
  return 'The identity service did not say where its panel is. Check the connection and try again.';
}
