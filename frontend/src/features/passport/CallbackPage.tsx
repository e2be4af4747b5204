import '../../ui/rows.css';
import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import type { AccountPreview, SignInMethod } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { isTokenExpired } from '@orange-id/contract/token.rule';
import { useActorRef, useSelector } from '@xstate/react';
import { Flex, Spin, Typography } from 'antd';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { getDeletion, keepAccount, leaveDeleted } from '../../api/account/delete.account';
import { getSignInMethods } from '../../api/account/get.sign-in.methods';
import { HttpError } from '../../api/http';
import { linkingPath, takeLinkingReturn, takeLinkingStart } from '../../api/account/linking.path';
import { previewAccount } from '../../api/account/preview.account';
import { readSource } from '../../api/session/source.storage';
import { signOutPassport } from '../../api/session/sign.out.passport';
import { readTokens, storeTokens } from '../../api/token.storage';
import { verifyLogin } from '../../api/session/verify.login';
import { inspected } from '../../inspect/machine.inspect';
import { LightButton } from '../../ui/LightButton';
import { LinkButton } from '../../ui/LinkButton';
import { Logo } from '../../ui/Logo';
import { methodNames, methodPhrase } from '../../ui/method.names';
import { useToast, type ToastMessage } from '../../ui/toast';
import { AccountQuestion } from './AccountQuestion';
import { DeletedAccount } from './DeletedAccount';
import { arrivalOf, isSamePerson, type Arrival } from './callback.arrival';
import { takeCaptured } from './callback.capture';
import {
  callbackMachine,
  type CallbackFailure,
  type CallbackPreview,
  type CallbackQuestion,
  type CallbackTokens,
  type CallbackVerdict,
} from './callback.machine';
import styles from './passport.module.css';

const reasons: Record<Exclude<CallbackFailure, 'unanswered'>, string> = {
  incomplete: 'Missing token or refreshToken in URL parameters',
  refused: 'Login callback failed',
  deleted: 'This account is deleted. To keep it, sign in again.',
  clockAhead:
    'This device’s clock says the sign-in has already expired. Check the date and time, then sign in again.',
};

/** Names the added method: the newest one of the account, if the list could be fetched. */
function linkedToast(methods: readonly SignInMethod[]): ToastMessage {
  const [newest] = methods.toSorted((a, b) => b.linkedAt.localeCompare(a.linkedAt));
  const named = newest?.provider === 'google' || newest?.provider === 'apple';
  const words = newest && (named ? methodNames[newest.provider] : methodPhrase(newest));
  return {
    tone: 'success',
    title: 'Sign-in Method Connected',
    description: `You can now sign in with ${words ?? 'it'}.`,
  };
}

/** Whether the server rejected the tokens; a 5xx response means it could not decide. */
const isRefusal = (error: unknown): boolean => error instanceof HttpError && error.status < 500;

const isDeleted = (error: unknown): boolean => error instanceof HttpError && error.code === 'account.deleted';

async function verifyTokens(tokens: CallbackTokens, signal: AbortSignal): Promise<CallbackVerdict> {
  try {
    const refreshToken = await verifyLogin(tokens, signal);
    // If stored, an expired token would be cleared at once, without an explanation.
    if (isTokenExpired(tokens.token, Date.now())) return { outcome: 'expiredHere' };
    return { outcome: 'accepted', refreshToken };
  } catch (error) {
    if (isDeleted(error)) {
      return { outcome: 'deleted', ...(await getDeletion(tokens.refreshToken, signal)) };
    }
    if (isRefusal(error)) return { outcome: 'refused' };
    throw error;
  }
}

async function askAbout(token: string, signal: AbortSignal): Promise<CallbackPreview> {
  try {
    return { account: await previewAccount(token, signal), replaced: await replacedBy(token, signal) };
  } catch (error) {
    if (isDeleted(error)) return 'deleted';
    if (isRefusal(error)) return 'refused';
    throw error;
  }
}

async function replacedBy(token: string, signal: AbortSignal): Promise<CallbackQuestion['replaced']> {
  const { accessToken } = readTokens();
  if (accessToken === null || isTokenExpired(accessToken, Date.now())) return null;
  if (isSamePerson(token, accessToken)) return 'same';
  const unnamed: AccountPreview = { identifiers: [], createdAt: null };
  try {
    return await previewAccount(accessToken, signal);
  } catch (error) {
    if (error instanceof HttpError) return unnamed;
    throw error;
  }
}

/** The page to open after sign-in. A sign-in that this tab did not start never leads to the sign-in methods. */
function nextPage(arrival: Arrival): string {
  if (arrival === 'link') return takeLinkingStart();
  if (takeLinkingReturn() && arrival !== 'unasked') return linkingPath;
  return readSource() ? '/orange-id' : '/';
}

/** `/auth/callback`: verifies and stores the tokens of a sign-in, then redirects. */
export function CallbackPage() {
  const navigate = useNavigate();
  const showToast = useToast();
  const { identity } = useConfig();
  const [{ arrival, ...input }] = useState(() => {
    const captured = takeCaptured();
    const arrival = arrivalOf(captured, readTokens(), Date.now());
    const { token, refreshToken } = captured;
    return { token, refreshToken, arrival, isWelcome: arrival !== 'unasked' };
  });

  const machine = useMemo(
    () =>
      callbackMachine.provide({
        actors: {
          previewAccount: fromPromise(({ input: { token }, signal }) => askAbout(token, signal)),
          keepAccount: fromPromise(async ({ input: { refreshToken }, signal }) => {
            await keepAccount(refreshToken, signal);
            showToast({
              tone: 'success',
              title: 'Account Kept',
              description: 'Your API keys and projects work again.',
            });
          }),
          verifyTokens: fromPromise(({ input: tokens, signal }) => verifyTokens(tokens, signal)),
        },
        actions: {
          storeTokens: (_, { token, refreshToken }) => storeTokens({ accessToken: token, refreshToken }),
          // Ends the rejected sign-in on the server. A failure is ignored, because the tokens were never stored here.
          endSignIn: (_, { token }) =>
            void signOutPassport(
              identity.baseUrl,
              token,
              AbortSignal.timeout(limits.userRequestTimeoutMs),
            ).catch(() => undefined),
          // The session of a deleted account accepts no other call. A failure is ignored, as above.
          leaveDeleted: (_, { refreshToken }) =>
            void leaveDeleted(refreshToken, AbortSignal.timeout(limits.userRequestTimeoutMs)).catch(
              () => undefined,
            ),
          goOn: () => {
            void navigate(nextPage(arrival), { replace: true });
            if (arrival !== 'link') return;
            void getSignInMethods(identity.baseUrl, AbortSignal.timeout(limits.userRequestTimeoutMs))
              .catch(() => [])
              .then((methods) => showToast(linkedToast(methods)));
          },
          goToLogin: () => void navigate('/login', { replace: true }),
        },
      }),
    [navigate, arrival, identity, showToast],
  );
  const callback = useActorRef(machine, { ...inspected, input });
  const snapshot = useSelector(callback, (current) => current);
  const { failure, error, question, deletesAt } = snapshot.context;

  return (
    <main
      className={styles.callbackPage}
      data-machine="callback"
      data-state={snapshot.value}
      aria-live="polite"
    >
      <div className={styles.callbackLogo}>
        <Logo />
      </div>
      {failure ? (
        <>
          <Typography.Text type="danger" className={styles.callbackIcon}>
            <CloseCircleFilled aria-hidden />
          </Typography.Text>
          <h1>Authentication failed</h1>
          <Typography.Text>
            {failure === 'unanswered' ? failureText(error) : reasons[failure]}
          </Typography.Text>
          <Typography.Text type="secondary">Redirecting back to login...</Typography.Text>
          <Flex wrap gap={8} justify="center">
            {failure === 'unanswered' && (
              <LightButton type="primary" onClick={() => callback.send({ type: 'verification.retry' })}>
                Try again
              </LightButton>
            )}
            <LinkButton to="/login">Sign in again</LinkButton>
          </Flex>
        </>
      ) : snapshot.can({ type: 'account.accept' }) && question ? (
        <AccountQuestion
          question={question}
          onAccept={() => callback.send({ type: 'account.accept' })}
          onRefuse={() => callback.send({ type: 'account.refuse' })}
        />
      ) : snapshot.can({ type: 'account.keep' }) && deletesAt !== null ? (
        <DeletedAccount
          deletesAt={deletesAt}
          failure={error ? failureText(error) : null}
          onKeep={() => callback.send({ type: 'account.keep' })}
          onLeave={() => callback.send({ type: 'account.refuse' })}
        />
      ) : snapshot.hasTag('busy') ? (
        <>
          <Spin size="large" />
          <h1>Signing you in</h1>
          <Typography.Text type="secondary">Checking your sign-in with Orange ID.</Typography.Text>
        </>
      ) : (
        <>
          <Typography.Text type="success" className={styles.callbackIcon}>
            <CheckCircleFilled aria-hidden />
          </Typography.Text>
          <h1>Authentication successful!</h1>
          <Typography.Text type="secondary">Redirecting you...</Typography.Text>
        </>
      )}
    </main>
  );
}
