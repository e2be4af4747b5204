import { limits } from '@orange-id/contract/limits';
import { isTokenExpired, readTokenClaims } from '@orange-id/contract/token.rule';
import type { SessionTokens } from '../../api/token.storage';

const longestTimerMs = 2 ** 31 - 1;

/** Milliseconds since the epoch at which the token expires; 0 for one that cannot be read. */
export const expiresAt = (token: string | null): number => (readTokenClaims(token)?.exp ?? 0) * 1000;

/** Whether the check of 60 s before expiry is due. */
export const isCheckDue = (token: string | null, now: number): boolean =>
  now >= expiresAt(token) - limits.expiryCheckBeforeMs;

/** Browsers fire delays above 2^31-1 ms at once, so a far moment is waited for in slices; a guard decides at each wake. */
export const sliceOf = (delayMs: number): number => Math.min(Math.max(delayMs, 0), longestTimerMs);

/** Whether `tokens` renew the session of `current`: valid, and for the same subject. */
export function isRenewalOf(current: SessionTokens, tokens: SessionTokens, now: number): boolean {
  const subject = readTokenClaims(tokens.accessToken)?.sub;
  return (
    subject !== undefined &&
    subject === readTokenClaims(current.accessToken)?.sub &&
    !isTokenExpired(tokens.accessToken, now)
  );
}

/**
 * Whether `tokens` are a session that comes after `current`: of another sign-in, or a renewal of one that has expired
 * by now. A renewal keeps its refresh token; a new sign-in never does.
 */
export function isSuccessorOf(current: SessionTokens, tokens: SessionTokens, now: number): boolean {
  if (tokens.accessToken === current.accessToken || isTokenExpired(tokens.accessToken, now)) return false;
  const isRenewal = isRenewalOf(current, tokens, now) && tokens.refreshToken === current.refreshToken;
  return !isRenewal || isTokenExpired(current.accessToken, now);
}

/** Whether both tokens are the ones already held. */
export const areSameTokens = (current: SessionTokens, tokens: SessionTokens): boolean =>
  tokens.accessToken === current.accessToken && tokens.refreshToken === current.refreshToken;

/** The two tokens of something that holds more. */
export const tokensOf = ({ accessToken, refreshToken }: SessionTokens): SessionTokens => ({
  accessToken,
  refreshToken,
});
