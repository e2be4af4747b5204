import { PortalError } from '../http/portal.error.js';
import type { User } from './user.entity.js';

/**
 * The user of a valid access token. `sessionId` is its session, which signing out ends. `party` is the origin of the
 * portal it was created for.
 */
export interface Authenticated {
  user: User;
  expiresAtMs: number;
  sessionId: string;
  party: string;
}

/** A session that keeps a connection open, and the access token that opened the connection. */
export interface OpenSession {
  sessionId: string;
  token: string;
}

/**
 * Verifies access tokens: locally (`EmbeddedVerifier`) or with the identity service of `IDENTITY_URL`
 * (`RemoteVerifier`).
 */
export abstract class AccessTokenVerifier {
  /** `portal` is the origin of this portal. */
  constructor(private readonly portal: string) {}

  /**
   * Like `verifyOfAnyPortal`, for a token that was created for this portal; throws `auth.tokenForeign` for any other.
   * Use this method by default: the operator of another portal has the tokens of all users who sign in there.
   */
  async verify(token: string, nowMs?: number, clientAddress?: string): Promise<Authenticated> {
    const authenticated = await this.verifyOfAnyPortal(token, nowMs, clientAddress);
    if (authenticated.party !== this.portal) throw tokenForeign(authenticated.party, this.portal);
    return authenticated;
  }

  /**
   * Throws `auth.tokenInvalid` for an invalid token (`exp` ≤ now, signed out, not from the service, created for a
   * portal that is not served), and `identity.unavailable` if the service is unreachable. `clientAddress` is that of
   * the sender, if known.
   */
  abstract verifyOfAnyPortal(token: string, nowMs?: number, clientAddress?: string): Promise<Authenticated>;

  /** The ids of those sessions that have ended; a session that cannot be checked now counts as active. */
  abstract endedAmong(sessions: readonly OpenSession[]): Promise<string[]>;

  /** Drops the cached data of a session that ended on another instance. */
  forget(_sessionId: string): void {}
}

/** The error for a token that was created for `party`, at `portal`. */
export const tokenForeign = (party: string, portal: string): PortalError =>
  new PortalError('auth.tokenForeign', {
    message: `The access token was issued for ${party}, not for ${portal}`,
  });
