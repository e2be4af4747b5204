import type { ErrorCode } from '@orange-id/contract/error.codes';
import type { PanelLook } from '@orange-id/contract/appearance.schema';
import { loaderError } from './loader.error';
import type { OrangeIdError, OrangeIdUser } from './orange-id.types';

const timeoutMs = 10_000;

const originNotAllowed: ErrorCode = 'auth.originNotAllowed';

export const unreachable = (portal: string): OrangeIdError =>
  loaderError('unreachable', `${portal} didn’t respond. Check your connection, then try again.`);

/** The portal no longer accepts the token that was sent. */
export class SessionEnded extends Error {}

/**
 * Client of the portal. Rejects with `SessionEnded` if it refuses a token, otherwise with an `OrangeIdError`. The
 * project goes in the query, because a header would cost a preflight request.
 */
export function createPortalClient(portal: string, projectId: string) {
  async function call(path: string, token?: string, body?: object, method = body ? 'POST' : 'GET') {
    const address = new URL(path, portal);
    address.searchParams.set('subscription-key', projectId);
    let response: Response;
    let answer: Record<string, unknown>;
    try {
      response = await fetch(address, {
        method,
        headers: {
          ...(body && { 'Content-Type': 'application/json' }),
          ...(token && { Authorization: `Bearer ${token}` }),
        },
        credentials: 'omit',
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      answer = JSON.parse((await response.text()) || '{}') as typeof answer;
    } catch {
      throw unreachable(portal);
    }
    if (response.ok) return answer;
    const message = String(answer.message ?? `${portal} returned status ${response.status}`);
    if (answer.code === originNotAllowed) throw loaderError('originNotAllowed', message);
    if (response.status === 401 && (token ?? body)) throw new SessionEnded(message);
    throw loaderError('refused', message);
  }

  return {
    /** What the project's panel shows; rejects if the project doesn't allow this page's origin. */
    getLook: async () => (await call('/api/v1/auth/appearance/panel')) as unknown as PanelLook,
    getUser: async (token: string) => (await call('/api/v1/auth/user', token)) as unknown as OrangeIdUser,
    refresh: async (refreshToken: string) =>
      (await call('/api/v1/auth/refresh', undefined, { refreshToken })).accessToken as string,
    logOut: (token: string) => call('/api/v1/auth/logout', token, undefined, 'POST'),
  };
}
