import { limits } from '@orange-id/contract/limits';

/** SQL condition on `refresh_tokens` for an active session: not revoked, used within 30 days, less than 90 days old. */
export const isActiveSession = `revoked_at is null and expires_at > now()
  and last_used_at > now() - make_interval(secs => ${limits.refreshTokenSeconds})`;
