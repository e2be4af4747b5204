import type { Appearance } from '@orange-id/contract/appearance';
import type { IdentityUser, LoginResult } from '@orange-id/contract/identity.schema';
import {
  demoSubscriptionKey,
  webAddress,
  type PassportSettings,
  type WidgetInfo,
} from './identity.addresses';
import { isAppearance } from './is.appearance';
import { isRecord } from './is.record';
import { LoginError, readRetryAfter, refusalOf } from './login.failure';
import type { SignedMessage, SocialProvider } from './login.types';

/** Time-out of a request to the identity service, in ms. */
const timeoutMs = 10_000;

interface Call {
  path: string;
  method?: 'GET' | 'POST';
  body?: unknown;
  token?: string;
  signal?: AbortSignal;
}

export const isLoginResult = (answer: unknown): answer is LoginResult =>
  isRecord(answer) &&
  isRecord(answer.user) &&
  typeof answer.user.id === 'string' &&
  isRecord(answer.token) &&
  typeof answer.token.accessToken === 'string' &&
  typeof answer.token.refreshToken === 'string';

/** `now` is the service's time; older services don't send it. */
export const isNonceResult = (answer: unknown): answer is { nonce: string; now?: string } =>
  isRecord(answer) &&
  typeof answer.nonce === 'string' &&
  (answer.now === undefined || (typeof answer.now === 'string' && isTime(answer.now)));

/** An ISO 8601 time in UTC. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT.*Z$/.test(text) && !Number.isNaN(Date.parse(text));

export const isWidgetInfo = (answer: unknown): answer is WidgetInfo =>
  isRecord(answer) && typeof answer.text === 'string' && typeof answer.url === 'string';

const isServedAppearance = (
  answer: unknown,
): answer is { version: number; appearance: Appearance; appName?: string } =>
  isRecord(answer) &&
  isAppearance(answer.appearance) &&
  (answer.appName === undefined || typeof answer.appName === 'string');

const isResetResult = (answer: unknown): answer is object => isRecord(answer) && 'status' in answer;

const isUser = (answer: unknown): answer is IdentityUser => isRecord(answer) && typeof answer.id === 'string';

const isProof = (answer: unknown): answer is object => isRecord(answer) && 'provenUntil' in answer;

const isProofWay = (answer: unknown): answer is { href: string } =>
  isRecord(answer) && typeof answer.href === 'string' && webAddress(answer.href) !== null;

const isAnything = (_answer: unknown): _answer is unknown => true;

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Client of the identity service. Every call throws `LoginError` if the service refuses, does not respond within 10 s,
 * or sends an unexpected response; an abort of `signal` rejects with its own reason.
 */
export function createIdentityClient({ baseUrl, subscriptionKey, tenantId }: PassportSettings) {
  async function call<T>(isExpected: (answer: unknown) => answer is T, request: Call): Promise<T> {
    const { path, body, token, signal, method = body === undefined ? 'GET' : 'POST' } = request;
    const deadline = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let answer: unknown;
    try {
      response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          'Ocp-Apim-Subscription-Key': subscriptionKey ?? demoSubscriptionKey,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      answer = await readJson(response);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new LoginError({ code: 'unreachable' }, { cause: error });
    }
    if (!response.ok) {
      const wait = readRetryAfter(response.headers.get('Retry-After'), Date.now());
      throw new LoginError(refusalOf(response.status, answer, wait));
    }
    if (!isExpected(answer)) throw new LoginError({ code: 'answerUnreadable' });
    return answer;
  }

  return {
    logIn: (email: string, password: string, signal?: AbortSignal) =>
      call(isLoginResult, { path: '/api/v1/auth/email/login', body: { email, password }, signal }),
    register: (email: string, password: string, passwordConfirm: string, signal?: AbortSignal) =>
      call(isLoginResult, {
        path: '/api/v1/auth/email/register',
        body: { email, password, passwordConfirm },
        signal,
      }),
    requestReset: (email: string, signal?: AbortSignal) =>
      call(isResetResult, { path: '/api/v1/auth/email/reset', body: { email }, signal }),
    linkEmail: (
      token: string,
      credentials: { email: string; password: string; passwordConfirm: string },
      signal?: AbortSignal,
    ) => call(isLoginResult, { path: '/api/v1/auth/identifier/email', token, body: credentials, signal }),
    linkWallet: (token: string, { message, signature }: SignedMessage, signal?: AbortSignal) =>
      call(isLoginResult, {
        path: '/api/v1/auth/identifier/wallet',
        token,
        body: { message, signature },
        signal,
      }),
    prove: (token: string, proof: { password: string } | SignedMessage, signal?: AbortSignal) =>
      call(isProof, { path: '/api/v1/auth/proof', token, body: proof, signal }),
    beginProof: (token: string, provider: SocialProvider, signal?: AbortSignal) =>
      call(isProofWay, { path: `/api/v1/auth/proof/${provider}`, method: 'POST', token, signal }),
    getNonce: (signal?: AbortSignal) => call(isNonceResult, { path: '/api/v1/message/nonce', signal }),
    verify: ({ message, signature }: SignedMessage, signal?: AbortSignal) =>
      call(isLoginResult, {
        path: '/api/v1/message/verify',
        body: { message, signature, ...(tenantId ? { tenantId } : {}) },
        signal,
      }),
    getUser: (token: string, signal?: AbortSignal) =>
      call(isUser, { path: '/api/v1/auth/user', token, signal }),
    getAppearance: (signal?: AbortSignal) =>
      call(isServedAppearance, { path: '/api/v1/auth/appearance', signal }),
    getWidget: (signal?: AbortSignal) => call(isWidgetInfo, { path: '/api/v1/auth/widget', signal }),
    logout: (token: string) => call(isAnything, { path: '/api/v1/auth/logout', method: 'POST', token }),
  };
}

export type IdentityClient = ReturnType<typeof createIdentityClient>;
