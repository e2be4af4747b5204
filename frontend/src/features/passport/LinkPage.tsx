import { ArrowLeftOutlined } from '@ant-design/icons';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { useAccountElsewhere } from '../../api/account.elsewhere';
import { useAuth } from '../../api/auth.context';
import { bindBrowser } from '../../api/bind.browser';
import { useConfig } from '../../api/config.context';
import { failureText } from '../../api/failure.text';
import { useSignInMethods } from '../../api/get.sign-in.methods';
import { HttpError } from '../../api/http';
import { readAccessToken, readRefreshToken } from '../../api/token.storage';
import { inspected } from '../../inspect/machine.inspect';
import { KeptElsewhere } from '../../ui/KeptElsewhere';
import { Logo } from '../../ui/Logo';
import { shortAddress } from '../../ui/short.address';
import { browserBindingMachine } from './browser.binding.machine';
import './passport.css';
import { PanelSkeleton, PassportPanel } from './PassportPanel';
import { SignInMethods } from './SignInMethods';

/** `/login?from=profile`: the ways to sign in that the account has, and the panel that adds another. */
export function LinkPage() {
  const { isAuthenticated } = useAuth();
  const keptAt = useAccountElsewhere();
  return (
    <main className="login-page link-page">
      <section className="login-words link-methods" aria-labelledby="link-title">
        <Link to="/" className="login-logo">
          <Logo />
        </Link>
        <div className="link-content">
          <Link to="/profile" className="link-back">
            <ArrowLeftOutlined aria-hidden /> Back to your profile
          </Link>
          <h1 id="link-title">Your ways to sign in</h1>
          <p className="link-help">
            Any of them opens this account. With two, losing one does not lock you out.
          </p>
          {keptAt ? (
            <KeptElsewhere address={keptAt} path="/login?from=profile" />
          ) : (
            <>
              <WantedWallet />
              <SignInMethods />
            </>
          )}
        </div>
      </section>
      {!keptAt && (
        <section className="login-place" aria-labelledby="link-add">
          <h2 id="link-add" className="visually-hidden">
            Add another way to sign in
          </h2>
          {isAuthenticated && keptAt === null ? <AddMethod /> : <PanelSkeleton />}
        </section>
      )}
    </main>
  );
}

/** The address somebody has named on their profile, which is theirs once its wallet has signed here. */
function WantedWallet() {
  const { state } = useLocation() as { state: { wallet?: unknown } | null };
  if (typeof state?.wallet !== 'string') return null;
  return (
    <Alert
      type="info"
      showIcon
      role="note"
      className="link-wanted"
      title={`Connect ${shortAddress(state.wallet)}`}
      description="Choose Connect Wallet and sign with it. Until then it is no part of your account. If it takes the place of another wallet, remove that one afterwards."
    />
  );
}

/** A session without a refresh token cannot be bound: there is nothing that proves the browser's part of it. */
async function bindStored({ baseUrl }: PublicConfig['identity'], signal: AbortSignal): Promise<void> {
  const [token, refreshToken] = [readAccessToken(), readRefreshToken()];
  if (token === null || refreshToken === null) throw new UnboundError();
  // Another service's own page says what it needs.
  if (new URL(baseUrl).origin !== window.location.origin) return;
  await bindBrowser({ token, refreshToken }, signal);
}

class UnboundError extends Error {
  override readonly name = 'UnboundError';
}

function AddMethod() {
  const { data: methods } = useSignInMethods();
  const { identity } = useConfig();
  const [machine] = useState(() =>
    browserBindingMachine.provide({
      actors: { bindBrowser: fromPromise(({ signal }) => bindStored(identity, signal)) },
    }),
  );
  const binding = useActorRef(machine, inspected);
  const state = useSelector(binding, (snapshot) => snapshot.value);
  const failure = useSelector(binding, (snapshot) => snapshot.context.failure);
  const isRefused =
    failure instanceof UnboundError || (failure instanceof HttpError && failure.status === 401);

  return (
    <div className="link-panel" data-machine="browserBinding" data-state={state}>
      {state === 'unbound' && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          title="Google and Apple cannot be added at the moment"
          description={
            isRefused
              ? 'This browser has to be where you signed in. Sign out, sign in again, then come back.'
              : failureText(failure)
          }
          action={
            !isRefused && <Button onClick={() => binding.send({ type: 'binding.retry' })}>Retry</Button>
          }
        />
      )}
      {state === 'binding' ? (
        <PanelSkeleton />
      ) : (
        <PassportPanel
          purpose="link"
          isEmailOffered={!methods?.some(({ provider }) => provider === 'email')}
        />
      )}
    </div>
  );
}
