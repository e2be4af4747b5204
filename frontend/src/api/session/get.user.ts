import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { queryOptions } from '@tanstack/react-query';
import { http, HttpError } from '../http';
import { queryKeys } from '../cache/query.keys';
import { replacementSettled } from './token.replacement';
import { readAccessToken } from '../token.storage';

/** Whether the identity service refused the token: 401 or 403, which sign the user out. */
export const isUserRefusal = (error: unknown): boolean =>
  error instanceof HttpError && (error.status === 401 || error.status === 403);

/** Hosted services name the id `id` or `sub` and omit unknown fields; those become `null`. */
function completed(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { sub } = answer as { sub?: unknown };
  return { id: sub, email: null, displayName: null, ...answer };
}

async function readUser(identity: PublicConfig['identity'], signal: AbortSignal): Promise<IdentityUser> {
  const token = readAccessToken();
  try {
    const answer = await http<unknown>({
      path: `${identity.baseUrl}/api/v1/auth/user`,
      token,
      headers: { 'Ocp-Apim-Subscription-Key': identity.subscriptionKey },
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.userRequestTimeoutMs)]),
    });
    const { identityUser } = await import('@orange-id/contract/identity.schema');
    return identityUser.parse(completed(answer));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new Error('Request timeout', { cause: error });
    if (isUserRefusal(error) && (await isReplaced(token))) return readUser(identity, signal);
    // The message of this request's errors is the status alone, 'status: statusText'.
    if (error instanceof HttpError) throw new HttpError(error.status, '', error.statusText);
    throw error;
  }
}

/**
 * Whether another token is stored by now, after waiting for a replacement in progress. If so, the refusal of the old
 * token doesn't matter.
 */
async function isReplaced(token: string | null): Promise<boolean> {
  await replacementSettled(limits.userRequestTimeoutMs);
  const stored = readAccessToken();
  return stored !== null && stored !== token;
}

/** `GET /api/v1/auth/user` of the identity service: 10 s time-out, one retry after 1 s, fresh for 5 min. */
export const userQuery = ({ identity }: PublicConfig) =>
  queryOptions({
    queryKey: queryKeys.user,
    queryFn: ({ signal }) => readUser(identity, signal),
    retry: (failures, error) => failures < 1 && !isUserRefusal(error),
    retryDelay: limits.userRequestRetryDelayMs,
    staleTime: limits.userFreshMs,
  });
