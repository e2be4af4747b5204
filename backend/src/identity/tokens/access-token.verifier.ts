import type { User } from '../user.entity.js';

/** Who a valid access token speaks for. `sessionId` names the sign-in it came from; logging out ends that one. */
export interface Authenticated {
  user: User;
  expiresAtMs: number;
  sessionId: string;
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
  /**
   * Throws `auth.tokenInvalid` for a token that does not stand (`exp` ≤ now, signed out, not one of the service), and
   * `identity.unavailable` when the service that knows cannot be asked. `clientAddress` is that of who sent it, where
   * it is known.
   */
  abstract verify(token: string, nowMs?: number, clientAddress?: string): Promise<Authenticated>;

  /** The ids of those sign-ins that have ended meanwhile; one that cannot be asked about now counts as standing. */
  abstract endedAmong(sessions: readonly OpenSession[]): Promise<string[]>;

  /** Drops what is remembered of a sign-in that ended on another instance. */
  forget(_sessionId: string): void {}
}
