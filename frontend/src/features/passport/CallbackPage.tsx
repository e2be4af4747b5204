import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { isTokenExpired } from '@orange-id/contract/token.rule';
import { useActorRef, useSelector } from '@xstate/react';
import { Spin, Typography } from 'antd';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { HttpError } from '../../api/http';
import { readSource } from '../../api/source.storage';
import { readAccessToken, storeTokens } from '../../api/token.storage';
import { verifyLogin } from '../../api/verify.login';
import { inspected, stateName } from '../../inspect/machine.inspect';
import { useToast, type ToastMessage } from '../../ui/toast';
import { takeCaptured } from './callback.capture';
import {
  callbackMachine,
  type CallbackFailure,
  type CallbackOutcome,
  type CallbackTokens,
} from './callback.machine';
import { endFlow, isWelcome } from './flow.marker';
import './passport.css';

const reasons: Record<CallbackFailure, string> = {
  incomplete: 'Missing token or refreshToken in URL parameters',
  refused: 'Login callback failed',
  broken: 'Authentication failed',
  clockAhead:
    'By this device’s clock the sign-in has already expired. Set the date and time, then sign in again.',
  unsolicited:
    'This sign-in was not started in this tab for the account you are signed in with. You stay signed in as you were.',
};

const linked: ToastMessage = {
  tone: 'success',
  title: 'Sign-in Method Added',
  description: 'You can sign in with it from now on. Settings leads to all of them.',
};

async function verifyTokens(tokens: CallbackTokens, signal: AbortSignal): Promise<CallbackOutcome> {
  try {
    await verifyLogin(tokens, signal);
  } catch (error) {
    if (error instanceof HttpError) return 'refused';
    throw error;
  }
  // Stored, such a token would be cleared at once, and nobody would say why.
  return isTokenExpired(tokens.token, Date.now()) ? 'expiredHere' : 'accepted';
}

/** Receives the tokens after a login (spec §2). */
export function CallbackPage() {
  const navigate = useNavigate();
  const showToast = useToast();
  const [{ isSignedIn, ...input }] = useState(() => {
    const captured = takeCaptured();
    const current = readAccessToken();
    return {
      ...captured,
      isWelcome: isWelcome(captured.token, current, Date.now()),
      isSignedIn: !isTokenExpired(current, Date.now()),
    };
  });

  const machine = useMemo(
    () =>
      callbackMachine.provide({
        actors: {
          verifyTokens: fromPromise(({ input: tokens, signal }) => verifyTokens(tokens, signal)),
        },
        actions: {
          storeTokens: (_, { token, refreshToken }) => storeTokens({ accessToken: token, refreshToken }),
          endFlow: () => endFlow(),
          goOn: () => {
            void navigate(readSource() ? '/orange-id' : '/', { replace: true });
            // Who was signed in already came to link; the page that follows says nothing of it (spec §2).
            if (isSignedIn) showToast(linked);
          },
          goToLogin: () => void navigate('/login', { replace: true }),
        },
      }),
    [navigate, isSignedIn, showToast],
  );
  const callback = useActorRef(machine, { ...inspected, input });
  const state = useSelector(callback, (snapshot) => stateName(snapshot.value));
  const failure = useSelector(callback, (snapshot) => snapshot.context.failure);

  return (
    <main className="callback-page" data-machine="callback" data-state={state} aria-live="polite">
      {failure ? (
        <>
          <CloseCircleFilled className="callback-icon callback-icon-failed" />
          <Typography.Title level={1}>Authentication failed</Typography.Title>
          {reasons[failure] !== 'Authentication failed' && (
            <Typography.Text>{reasons[failure]}</Typography.Text>
          )}
          <Typography.Text type="secondary">Redirecting back to login...</Typography.Text>
        </>
      ) : state === 'verifying' || state === 'opening' ? (
        <>
          <Spin size="large" />
          <Typography.Title level={1}>Signing you in</Typography.Title>
          <Typography.Text type="secondary">Checking your sign-in with Orange ID.</Typography.Text>
        </>
      ) : (
        <>
          <CheckCircleFilled className="callback-icon callback-icon-succeeded" />
          <Typography.Title level={1}>Authentication successful!</Typography.Title>
          <Typography.Text type="secondary">Redirecting you...</Typography.Text>
        </>
      )}
    </main>
  );
}
