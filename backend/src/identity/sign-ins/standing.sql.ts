import { limits } from '@orange-id/contract/limits';

/** SQL on `refresh_tokens` for 'this sign-in still stands': not revoked, used within 30 days, not 90 days old. */
export const standing = `revoked_at is null and expires_at > now()
  and last_used_at > now() - make_interval(secs => ${limits.refreshTokenSeconds})`;
