import { BedrockPassportProvider, LoginPanel } from '@bedrock_org/passport';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button, Skeleton } from 'antd';
import { useId, useMemo } from 'react';
import { fromCallback, fromPromise } from 'xstate';
import { useConfig } from '../../api/config.context';
import { readVersion } from '../../api/get.version';
import { inspected, stateName } from '../../inspect/machine.inspect';
import { Catch } from '../../ui/Catch';
import './passport.css';
import { passportMachine, type PassportFailure } from './passport.machine';
import { watchPanel } from './watch.panel';

interface PassportPanelProps {
  /** Signing in, or adding a method to the account that is signed in. A hosted panel finds that out by itself. */
  purpose?: 'signIn' | 'link';
  /** False where the account has an e-mail to sign in with already. */
  isEmailOffered?: boolean;
}

/** The login panel of the identity service, from asking where it is to having it on the page. */
export function PassportPanel({ purpose = 'signIn', isEmailOffered = true }: PassportPanelProps) {
  const { identity, features: portal } = useConfig();
  const placeId = useId();

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
                purpose={purpose}
                mailboxUrl={portal.mailbox ? '/dev/mailbox' : undefined}
                title={purpose === 'link' ? 'Add a way to sign in' : 'Sign in to'}
                logo={purpose === 'link' ? undefined : '/orange-id.svg'}
                logoAlt={purpose === 'link' ? undefined : 'Orange ID'}
                walletButtonText="Connect Wallet"
                separatorText="OR"
                features={{
                  enableWalletConnect: true,
                  enableAppleLogin: true,
                  enableGoogleLogin: true,
                  enableEmailLogin: isEmailOffered,
                }}
              />
            </BedrockPassportProvider>
          </Catch>
        )}
      </div>
    </div>
  );
}

/** The panel's shape while it is on its way. */
export function PanelSkeleton() {
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
