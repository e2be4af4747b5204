import { BedrockPassportProvider, LoginPanel } from '@bedrock_org/passport';
import type { Appearance } from '@orange-id/contract/appearance';
import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { useActorRef, useSelector } from '@xstate/react';
import { Card, Flex, Skeleton } from 'antd';
import { useId, useMemo } from 'react';
import { fromCallback, fromPromise } from 'xstate';
import { useConfig, useConfiguredMethods } from '../../api/config/config.context';
import { readVersion } from '../../api/config/get.version';
import { inspected } from '../../inspect/machine.inspect';
import { ErrorBoundary } from '../../ui/ErrorBoundary';
import { LoadFailure } from '../../ui/LoadFailure';
import { passportMachine, type PassportFailure } from './passport.machine';
import { watchPanel } from './watch.panel';
import styles from './passport.module.css';

type Purpose = 'signIn' | 'link' | 'prove';

/** As the widget declares it, which is not imported. */
interface LoginPanelFlow {
  flowId: string;
  onTokens(tokens: { accessToken: string; refreshToken: string }): void;
}

interface PassportPanelProps {
  /** `signIn`; `link`: adds a method to the signed-in account; `prove`: confirms that the account is the user's. */
  purpose?: Purpose;
  /** The sign-in methods to offer; defaults to all that the portal is configured for. */
  offered?: readonly SignInMethod['provider'][];
  /** The email whose password the panel asks for. */
  email?: string;
  /** The method to start with, instead of letting the user choose. */
  begin?: SignInMethod['provider'] | null;
  /** The sign-in for another site, and what happens to its tokens. */
  app?: LoginPanelFlow;
  /** How the panel looks, if not as the portal. Of its methods only those that are offered are shown. */
  look?: Appearance | null;
  onProven?: () => void;
  onProofRequired?: (method?: SignInMethod['provider']) => void;
}

const words: Record<Purpose, { title: string; walletButtonText: string; logo?: string; logoAlt?: string }> = {
  signIn: {
    title: 'Sign in to',
    walletButtonText: 'Connect Wallet',
    logo: '/orange-id.svg',
    logoAlt: 'Orange ID',
  },
  link: { title: 'Connect a sign-in method', walletButtonText: 'Connect Wallet' },
  prove: { title: 'Confirm it’s you', walletButtonText: 'Sign with wallet' },
};

/** The page's heading names the app, and no text of the app's owner may say something else. */
const appTitle = 'Choose how to sign in';

/** Loads and shows the login widget of the identity service. */
export function PassportPanel({
  purpose = 'signIn',
  offered: wanted,
  email,
  begin,
  app,
  look = null,
  onProven,
  onProofRequired,
}: PassportPanelProps) {
  const { identity, features: portal } = useConfig();
  const configured = useConfiguredMethods();
  const all = wanted ?? configured;
  const chosen = look ? all.filter((method) => look.methods.includes(method)) : all;
  // A look with none of them would lock everybody out.
  const offered = chosen.length > 0 ? chosen : all;
  const appearance = useMemo(
    () => (look && chosen.length === 0 ? { ...look, methods: [...all] } : (look ?? undefined)),
    [look, chosen.length, all],
  );
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
  const snapshot = useSelector(passport, (current) => current);
  const { failure, attempt } = snapshot.context;

  return (
    <div className={`stack ${styles.loginPanel}`} data-machine="passport" data-state={snapshot.value}>
      {failure && (
        <LoadFailure
          title={
            failure.code === 'late' ? 'The login widget is slow to load' : 'Failed to load the login widget'
          }
          reason={sentenceOf(failure)}
          onRetry={() => passport.send({ type: 'passport.retry' })}
        />
      )}
      {snapshot.hasTag('busy') && <PanelSkeleton />}
      <div id={placeId}>
        {snapshot.hasTag('mounted') && (
          <ErrorBoundary
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
                app={app}
                appearance={appearance}
                keepsHistory={purpose === 'signIn'}
                mailboxUrl={portal.mailbox ? '/dev/mailbox' : undefined}
                {...(app ? { title: appTitle } : words[purpose])}
                email={email}
                begin={begin ?? undefined}
                onProven={onProven}
                onProofRequired={onProofRequired}
                // The look of an app has its own.
                separatorText={look ? undefined : 'OR'}
                features={{
                  enableWalletConnect: offered.includes('wallet'),
                  enableAppleLogin: offered.includes('apple'),
                  enableGoogleLogin: offered.includes('google'),
                  enableEmailLogin: offered.includes('email'),
                }}
              />
            </BedrockPassportProvider>
          </ErrorBoundary>
        )}
      </div>
    </div>
  );
}

/** Skeleton of the login panel. */
export function PanelSkeleton() {
  return (
    <Card className={styles.loginPanel} role="status" aria-label="Loading">
      <Flex vertical gap={16}>
        <Skeleton.Input active size="large" block />
        {[1, 2, 3, 4].map((row) => (
          <Skeleton.Button key={row} active size="large" block />
        ))}
      </Flex>
    </Card>
  );
}

function sentenceOf({ code, message }: PassportFailure): string {
  if (code === 'asset' && message) return message;
  if (code === 'late') return 'This is taking longer than 15 seconds. It appears here as soon as it loads.';
  return 'The identity service isn’t responding. Check your connection and try again.';
}
