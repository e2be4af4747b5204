import { PortalError } from '../../http/portal.error.js';
import type { User } from '../user.entity.js';

/**
 * Who a valid access token speaks for. `sessionId` names the sign-in it came from; logging out ends that one. `party` is
 * the origin of the portal it was made for.
 */
export interface Authenticated {
  user: User;
  expiresAtMs: number;
  sessionId: string;
  party: string;
}

/** A sign-in that holds a connection open, and the access token the connection was opened with. */
export interface OpenSession {
  sessionId: string;
  token: string;
}

/**
 * Verifies access tokens: here (`EmbeddedVerifier`) or by asking the identity service of `IDENTITY_URL`
 * (`RemoteVerifier`).
 */
export abstract class AccessTokenVerifier {
  /** `portal` is the origin of this one. */
  constructor(private readonly portal: string) {}

  /**
   * As `verifyOfAnyPortal`, for a token that was made for this portal; throws `auth.tokenForeign` for any other. Use
   * this one: whoever runs another portal holds the tokens of all who sign in there.
   */
  async verify(token: string, nowMs?: number, clientAddress?: string): Promise<Authenticated> {
    const authenticated = await this.verifyOfAnyPortal(token, nowMs, clientAddress);
    if (authenticated.party !== this.portal) throw tokenForeign(authenticated.party, this.portal);
    return authenticated;
  }

  /**
   * Throws `auth.tokenInvalid` for a token that does not stand (`exp` ≤ now, signed out, not one of the service, made
   * for a portal that is not served), and `identity.unavailable` when the service that knows cannot be asked.
   * `clientAddress` is that of who sent it, where it is known.
   */
  abstract verifyOfAnyPortal(token: string, nowMs?: number, clientAddress?: string): Promise<Authenticated>;

  /** The ids of those sign-ins that have ended meanwhile; one that cannot be asked about now counts as standing. */
  abstract endedAmong(sessions: readonly OpenSession[]): Promise<string[]>;

  /** Drops what is remembered of a sign-in that ended on another instance. */
  forget(_sessionId: string): void {}
}

/** The refusal of a token that was made for `party`, at `portal`. */
export const tokenForeign = (party: string, portal: string): PortalError =>
  new PortalError('auth.tokenForeign', {
    message: `The access token was issued for ${party}, not for ${portal}`,
  });
