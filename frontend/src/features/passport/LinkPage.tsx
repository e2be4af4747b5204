import { ArrowLeftOutlined } from '@ant-design/icons';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Flex } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { fromPromise, type SnapshotFrom } from 'xstate';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';
import { useAuth } from '../../api/session/auth.context';
import { bindBrowser } from '../../api/session/bind.browser';
import { useConfig, useConfiguredMethods } from '../../api/config/config.context';
import { getFreshProof } from '../../api/account/get.fresh.proof';
import { useSignInMethods } from '../../api/account/get.sign-in.methods';
import { HttpError } from '../../api/http';
import {
  deletionConfirmed,
  forgetWantedMethod,
  keepLinkingStart,
  keepWantedMethod,
  linkingPath,
  linkingStart,
  linkingRequest,
  wantedMethod,
  type LinkingStart,
} from '../../api/account/linking.path';
import { readAccessToken, readRefreshToken } from '../../api/token.storage';
import { inspected } from '../../inspect/machine.inspect';
import { KeptElsewhere } from '../../ui/KeptElsewhere';
import { LoadFailure } from '../../ui/LoadFailure';
import { PageHead } from '../../ui/PageHead';
import { shortAddress } from '../../ui/short.address';
import { browserBindingMachine } from './browser.binding.machine';
import { freshProofMachine, type FreshProofActor, type WantedMethod } from './fresh.proof.machine';
import { PanelSkeleton, PassportPanel } from './PassportPanel';
import { SignInMethods } from './SignInMethods';
import styles from './passport.module.css';

const backLabels: Record<LinkingStart, string> = {
  '/profile': 'Back to your profile',
  '/settings': 'Back to Settings',
};

/** `/login?from=profile`: the account's sign-in methods, and the panel that adds one. */
export function LinkPage() {
  const { isAuthenticated } = useAuth();
  const keptAt = useAccountElsewhere();
  const { data, error } = useSignInMethods();
  const { identity } = useConfig();
  const [machine] = useState(() =>
    freshProofMachine.provide({
      actors: {
        readProof: fromPromise(
          async ({ signal }) => (await getFreshProof(identity.baseUrl, signal)).provenUntil !== null,
        ),
      },
    }),
  );
  const wanted = useWantedMethod();
  const proof = useActorRef(machine, { ...inspected, input: { wanted } });
  useWantedKept(proof);
  const start = linkingStart(useLocation().state, useNavigationType());
  useEffect(() => keepLinkingStart(start), [start]);
  useBackOnceConfirmed(proof, start);
  return (
    <div>
      <Link to={start} className={styles.linkBack}>
        <ArrowLeftOutlined aria-hidden /> {backLabels[start]}
      </Link>
      <PageHead
        title="Your sign-in methods"
        help="You can sign in with any of them. Keep at least two, so losing one doesn’t lock you out."
      />
      {keptAt ? (
        <KeptElsewhere address={keptAt} path={linkingPath} />
      ) : (
        <div className={`stack ${styles.linkColumns}`}>
          <Flex component="section" vertical gap={16} aria-label="Sign-in methods">
            <WantedWallet proof={proof} />
            <SignInMethods proof={proof} />
          </Flex>
          {/* One outage shows one error: this panel waits until the list has loaded. */}
          {(data || !error) &&
            (isAuthenticated && keptAt === null ? <AddMethod proof={proof} /> : <PanelSkeleton />)}
        </div>
      )}
    </div>
  );
}

/**
 * Leads back to the deletion of the account, if the user came only to confirm it's them: at once if binding the browser
 * was all that was missing.
 */
function useBackOnceConfirmed(proof: FreshProofActor, start: LinkingStart): void {
  const { confirm } = linkingRequest(useLocation().state);
  const navigate = useNavigate();
  const isConfirmed = useSelector(proof, (snapshot) => snapshot.matches('fresh')) && confirm !== undefined;
  useEffect(() => {
    if (isConfirmed) void navigate(start, { replace: true, state: deletionConfirmed });
  }, [isConfirmed, start, navigate]);
}

const additions: Record<SignInMethod['provider'], string> = {
  email: 'connect an email',
  wallet: 'connect a wallet',
  google: 'connect Google',
  apple: 'connect Apple',
};

/** The method of the 'Connect' button that the user clicked on the profile; dropped on a reload and on Back. */
function useWantedMethod(): WantedMethod {
  const { state, pathname, search } = useLocation();
  const navigation = useNavigationType();
  const navigate = useNavigate();
  const [wanted] = useState(() => wantedMethod(state, navigation));
  const isNamed = linkingRequest(state).add !== undefined;
  // Only once: by the time the address has changed, the page may have stored the method again.
  useEffect(() => forgetWantedMethod(), []);
  useEffect(() => {
    if (isNamed) void navigate(`${pathname}${search}`, { replace: true });
  }, [isNamed, navigate, pathname, search]);
  return wanted;
}

/** Whether the user must confirm the account before a change. */
const isStaleIn = (snapshot: SnapshotFrom<FreshProofActor>): boolean => snapshot.can({ type: 'proof.made' });

/** Stores the method to add while the user confirms the account, because Google and Apple leave this page. */
function useWantedKept(proof: FreshProofActor): void {
  const wanted = useSelector(proof, (snapshot) => (isStaleIn(snapshot) ? snapshot.context.wanted : null));
  useEffect(() => {
    if (wanted === null) return;
    keepWantedMethod(wanted);
    return () => forgetWantedMethod();
  }, [wanted]);
}

/**
 * The wallet that the user entered on the profile; it is connected once it has signed a message here. The panel that
 * confirms the account refuses its signature, because the wallet isn't linked yet.
 */
function WantedWallet({ proof }: { proof: FreshProofActor }) {
  const { wallet } = linkingRequest(useLocation().state);
  const isStale = useSelector(proof, isStaleIn);
  if (wallet === undefined) return null;
  return (
    <Alert
      type="info"
      showIcon
      role="note"
      title={`Connect ${shortAddress(wallet)}`}
      description={
        isStale
          ? 'First confirm it’s you with a sign-in method you already have. Then choose Connect Wallet and sign a message with this wallet to add it.'
          : 'Choose Connect Wallet and sign a message with this wallet to add it to your account. If it replaces another wallet, remove that one afterwards.'
      }
    />
  );
}

/** Binds this browser to the stored session. Throws `UnboundError` without an access or a refresh token. */
async function bindStored({ baseUrl }: PublicConfig['identity'], signal: AbortSignal): Promise<void> {
  const [token, refreshToken] = [readAccessToken(), readRefreshToken()];
  if (token === null || refreshToken === null) throw new UnboundError();
  // A remote identity service handles this on its own page.
  if (new URL(baseUrl).origin !== window.location.origin) return;
  await bindBrowser({ token, refreshToken }, signal);
}

const unboundTitle = 'Your sign-in methods can’t be changed right now';

class UnboundError extends Error {
  override readonly name = 'UnboundError';
}

/** The panel that adds a sign-in method, or first the one that confirms the account, if the service requires it. */
function AddMethod({ proof }: { proof: FreshProofActor }) {
  const { data: methods, error } = useSignInMethods();
  const { identity } = useConfig();
  const isDeleting = linkingRequest(useLocation().state).confirm === 'deletion';
  const [machine] = useState(() =>
    browserBindingMachine.provide({
      actors: { bindBrowser: fromPromise(({ signal }) => bindStored(identity, signal)) },
    }),
  );
  const binding = useActorRef(machine, inspected);
  const snapshot = useSelector(binding, (current) => current);
  const { failure } = snapshot.context;
  const isBinding = snapshot.hasTag('busy');
  const isRefused =
    failure instanceof UnboundError || (failure instanceof HttpError && failure.status === 401);
  // After any other failure the panel would show an error of its own. A refused browser can still confirm the account
  // there.
  const isCut = failure !== null && !isRefused;
  const isStale = useSelector(proof, isStaleIn);
  const isChecking = useSelector(proof, (snapshot) => snapshot.hasTag('busy'));

  const wanted = useSelector(proof, (snapshot) => snapshot.context.wanted);
  const addable = useConfiguredMethods().filter(
    (provider) => provider !== 'email' || !methods?.some((method) => method.provider === 'email'),
  );

  useEffect(() => {
    if (!isBinding) proof.send({ type: 'browser.settled' });
  }, [proof, isBinding]);

  // The focused button was removed with its panel or its dialog.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const subscriptions = (['proof.wanted', 'proof.made'] as const).map((type) =>
      proof.on(type, () => place.current?.focus()),
    );
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [proof]);

  return (
    <div
      className={`stack ${styles.loginPanel}`}
      data-machine="browserBinding"
      data-state={snapshot.value}
      ref={place}
      tabIndex={-1}
    >
      {isCut && methods ? (
        <LoadFailure
          title={unboundTitle}
          error={failure}
          isRetrying={isBinding}
          onRetry={() => binding.send({ type: 'binding.retry' })}
        />
      ) : (
        isRefused && (
          <Alert
            type="warning"
            showIcon
            role="alert"
            title={unboundTitle}
            description="We can’t verify this browser’s session. Sign out, sign in again, then come back."
          />
        )
      )}
      {isStale && !isCut && (
        <Alert
          type="info"
          showIcon
          role="status"
          title={`Confirm it’s you to ${isDeleting ? 'delete your account' : 'change your sign-in methods'}`}
          description={`You signed in more than ${waitInWords(limits.freshProofSeconds)} ago. Confirm with one of your sign-in methods to ${wanted === null ? 'continue' : additions[wanted]}.`}
        />
      )}
      {isCut ? (
        !methods && <PanelSkeleton />
      ) : isBinding || isChecking || (isStale && !methods && !error) ? (
        <PanelSkeleton />
      ) : isStale ? (
        <PassportPanel
          purpose="prove"
          {...(methods ? { offered: methods.map(({ provider }) => provider) } : {})}
          email={methods?.find(({ provider }) => provider === 'email')?.label}
          begin={wanted !== null && methods?.every(({ provider }) => provider === 'email') ? 'email' : null}
          onProven={() => proof.send({ type: 'proof.made' })}
        />
      ) : (
        <PassportPanel
          purpose="link"
          offered={addable}
          begin={addable.find((provider) => provider === wanted && failure === null)}
          onProofRequired={(method) => proof.send({ type: 'proof.refused', wanted: method ?? null })}
        />
      )}
    </div>
  );
}
