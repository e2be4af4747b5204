import { limits } from '@orange-id/contract/limits';
import { isTokenExpired, readTokenClaims } from '@orange-id/contract/token.rule';
import type { SessionTokens } from '../../api/token.storage';

const longestTimerMs = 2 ** 31 - 1;

/** When the token expires, in ms since the epoch; 0 for an unreadable one. */
export const expiresAt = (token: string | null): number => (readTokenClaims(token)?.exp ?? 0) * 1000;

/** Whether at most 60 s remain before the expiry. */
export const isCheckDue = (token: string | null, now: number): boolean =>
  now >= expiresAt(token) - limits.expiryCheckBeforeMs;

/** Browsers fire delays above 2^31-1 ms at once, so longer waits are split; a guard decides at each wake. */
export const sliceOf = (delayMs: number): number => Math.min(Math.max(delayMs, 0), longestTimerMs);

/** Whether `tokens` renew the session of `current`: a valid access token for the same subject. */
export function isRenewalOf(current: SessionTokens, tokens: SessionTokens, now: number): boolean {
  const subject = readTokenClaims(tokens.accessToken)?.sub;
  return (
    subject !== undefined &&
    subject === readTokenClaims(current.accessToken)?.sub &&
    !isTokenExpired(tokens.accessToken, now)
  );
}

/**
 * Whether `tokens` belong to a later session than `current`: to another sign-in, or to a renewal of a token that has
 * expired since. A renewal keeps its refresh token; a new sign-in never does.
 */
export function isSuccessorOf(current: SessionTokens, tokens: SessionTokens, now: number): boolean {
  if (tokens.accessToken === current.accessToken || isTokenExpired(tokens.accessToken, now)) return false;
  const isRenewal = isRenewalOf(current, tokens, now) && tokens.refreshToken === current.refreshToken;
  return !isRenewal || isTokenExpired(current.accessToken, now);
}

export const areSameTokens = (current: SessionTokens, tokens: SessionTokens): boolean =>
  tokens.accessToken === current.accessToken && tokens.refreshToken === current.refreshToken;

/** Only the two tokens of an object that contains more. */
export const tokensOf = ({ accessToken, refreshToken }: SessionTokens): SessionTokens => ({
  accessToken,
  refreshToken,
});
