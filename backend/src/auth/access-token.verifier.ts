import type { TenantClaim } from '@orange-id/contract/tenant.claims';
import { PortalError } from '../http/portal.error.js';
import type { User } from './user.entity.js';

/** What the token of an app says of the person's connection to its project. */
export interface AppConnection {
  connectionId: string;
  projectId: string;
  code: string;
  provider: string;
  claims: readonly TenantClaim[];
  consentedAt: Date | null;
  connectedAt: Date;
}

/**
 * The user of a valid access token. `sessionId` is its session, which signing out ends. `party` is the origin of the
 * portal or app it was created for; `app` is set for an app.
 */
export interface Authenticated {
  user: User;
  app?: AppConnection;
  expiresAtMs: number;
  sessionId: string;
  party: string;
}

/**
 * Called with the user of a token, or with the id of their connection to an app: once the token's signature is checked,
 * and before the database is asked where the signature can be checked without a call. The check goes on once it
 * resolves.
 */
export type Admit = (userId: string) => Promise<void>;

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
  async verify(token: string, nowMs?: number, clientAddress?: string, admit?: Admit): Promise<Authenticated> {
    const authenticated = await this.verifyOfAnyPortal(token, nowMs, clientAddress, admit);
    if (authenticated.party !== this.portal) throw tokenForeign(authenticated.party, this.portal);
    return authenticated;
  }

  /**
   * Throws `auth.tokenInvalid` for an invalid token (`exp` ≤ now, signed out, not from the service, created for a
   * portal that is not served), and `identity.unavailable` if the service is unreachable. `clientAddress` is that of
   * the sender, if known.
   */
  abstract verifyOfAnyPortal(
    token: string,
    nowMs?: number,
    clientAddress?: string,
    admit?: Admit,
  ): Promise<Authenticated>;

  /**
   * Like `verifyOfAnyPortal`, and accepts a token that was created for the app of a project. Throws `auth.tokenInvalid`
   * if the app's project, its origin or the user's connection is gone. A hosted identity service has its own tenants.
   */
  verifyOfAnyTenant(
    token: string,
    nowMs?: number,
    clientAddress?: string,
    admit?: Admit,
  ): Promise<Authenticated> {
    return this.verifyOfAnyPortal(token, nowMs, clientAddress, admit);
  }

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
