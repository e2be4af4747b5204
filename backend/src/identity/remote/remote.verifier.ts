import { Inject, Injectable } from '@nestjs/common';
import { readTokenClaims } from '@orange-id/contract/token.rule';
import type { TokenClaims } from '@orange-id/contract/token.rule';
import { createHash } from 'node:crypto';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { addressKey, networkKey } from '../../http/address.key.js';
import { ConcurrencyLimiter } from '../../http/concurrency.limiter.js';
import { PortalError } from '../../http/portal.error.js';
import { setLru } from '../../http/lru.map.js';
import { SessionEndings } from '../../auth/session.endings.js';
import {
  AccessTokenVerifier,
  type Admit,
  type Authenticated,
  type OpenSession,
} from '../../auth/access-token.verifier.js';
import { IdentityClient } from './identity.client.js';
import { requireNamed } from './party.claims.rule.js';
import { RemoteUsers } from './remote.users.js';

/**
 * How long a response of the identity service is cached; a session that the service ends stops working here within this
 * time.
 */
const believedMs = 30_000;
const tokensMax = 10_000;
/** Concurrent checks of unknown tokens. All clients of unknown address count as one; a network is an IPv6 /48. */
const newAskedAtOnce = { perClient: 8, perNetwork: 40 };
/** How often the service is asked about a session that only holds a connection open. */
const openAskedEveryMs = 60_000;
const openAskedAtOnce = 4;

interface Checked {
  authenticated: Authenticated;
  atMs: number;
}

/**
 * Verifies access tokens with the identity service, unless they name another party than this portal. A token is checked
 * once at a time; the result is cached for 30 s and never beyond the token's expiry. Only hashes of tokens are stored,
 * and since the service names no session, the token's hash identifies the session.
 */
@Injectable()
export class RemoteVerifier extends AccessTokenVerifier {
  private readonly checked = new Map<string, Checked>();
  private readonly asking = new Map<string, Promise<Authenticated>>();
  /** Unknown tokens being checked. */
  private readonly ofClient = new ConcurrencyLimiter(newAskedAtOnce.perClient);
  private readonly ofNetwork = new ConcurrencyLimiter(newAskedAtOnce.perNetwork);
  private isAskingAboutOpen = false;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly service: IdentityClient,
    private readonly users: RemoteUsers,
    private readonly endings: SessionEndings,
  ) {
    super(environment.PUBLIC_URL);
  }

  /**
   * Limits the concurrent checks of unknown tokens per client; more throw `request.rateLimited`. Anybody can make up a
   * token, and would otherwise use up the slots of users with valid ones.
   */
  async verifyOfAnyPortal(
    token: string,
    nowMs = Date.now(),
    clientAddress?: string,
    admit?: Admit,
  ): Promise<Authenticated> {
    const authenticated = await this.authenticate(token, nowMs, clientAddress);
    await admit?.(authenticated.user.id);
    return authenticated;
  }

  private async authenticate(
    token: string,
    nowMs: number,
    clientAddress: string | undefined,
  ): Promise<Authenticated> {
    const claims = claimsOf(token);
    const expiresAtMs = expiryOf(claims);
    if (claims === null || expiresAtMs <= nowMs) throw new PortalError('auth.tokenInvalid');
    const { PUBLIC_URL: origin, TENANT_ID: tenant } = this.environment;
    requireNamed(claims, { origin, tenant });
    const sessionId = hashOf(token);
    const known = this.checked.get(sessionId);
    if (known && nowMs - known.atMs < believedMs) return known.authenticated;
    if (known || this.asking.has(sessionId)) return this.askOnce(token, expiresAtMs, { isNew: false });
    return this.askInBounds(token, expiresAtMs, clientAddress);
  }

  async endedAmong(sessions: readonly OpenSession[]): Promise<string[]> {
    if (this.isAskingAboutOpen) return [];
    this.isAskingAboutOpen = true;
    try {
      const ended: string[] = [];
      const due = sessions.filter(({ sessionId }) => this.isDue(sessionId));
      const askNext = async (): Promise<void> => {
        for (let next = due.pop(); next; next = due.pop())
          if (await this.hasEnded(next)) ended.push(next.sessionId);
      };
      await Promise.all(Array.from({ length: openAskedAtOnce }, askNext));
      return ended;
    } finally {
      this.isAskingAboutOpen = false;
    }
  }

  /** The holder of this token signed out: discards cached results, here and on other instances. */
  signOut(token: string): void {
    const sessionId = hashOf(token);
    this.forget(sessionId);
    this.endings.emit(sessionId, 'signedOut');
  }

  override forget(sessionId: string): void {
    this.checked.delete(sessionId);
    // A response in transit predates the sign-out and must not be cached.
    this.asking.delete(sessionId);
  }

  private async askInBounds(
    token: string,
    expiresAtMs: number,
    clientAddress: string | undefined,
  ): Promise<Authenticated> {
    const name = clientAddress === undefined ? null : addressKey(clientAddress);
    const network = name === null ? null : networkKey(name);
    const ask = () => this.askOnce(token, expiresAtMs, { isNew: true });
    return this.ofClient.run(name ?? 'unnamed', () =>
      network === null ? ask() : this.ofNetwork.run(network, ask),
    );
  }

  private askOnce(token: string, expiresAtMs: number, { isNew }: { isNew: boolean }): Promise<Authenticated> {
    const sessionId = hashOf(token);
    const underWay = this.asking.get(sessionId);
    if (underWay) return underWay;
    const atMs = Date.now();
    const request: Promise<Authenticated> = this.ask(token, { sessionId, expiresAtMs }, isNew).then(
      (authenticated) => {
        if (this.asking.get(sessionId) === request) this.remember(sessionId, { authenticated, atMs });
        return authenticated;
      },
      (error: unknown) => {
        if (this.asking.get(sessionId) === request) this.asking.delete(sessionId);
        throw error;
      },
    );
    this.asking.set(sessionId, request);
    return request;
  }

  private async ask(
    token: string,
    session: Pick<Authenticated, 'sessionId' | 'expiresAtMs'>,
    isNew: boolean,
  ): Promise<Authenticated> {
    const remote = await this.service.readUser(token, { isNew });
    const party = this.environment.PUBLIC_URL;
    if (remote) return { ...session, party, user: await this.users.keep(remote) };
    // The token was valid until now: ends its session.
    if (this.checked.delete(session.sessionId)) this.endings.emit(session.sessionId, 'signedOut');
    throw new PortalError('auth.tokenInvalid');
  }

  private remember(sessionId: string, checked: Checked): void {
    this.asking.delete(sessionId);
    setLru(this.checked, sessionId, checked, tokensMax);
  }

  private isDue(sessionId: string): boolean {
    const known = this.checked.get(sessionId);
    return !known || Date.now() - known.atMs >= openAskedEveryMs;
  }

  private async hasEnded({ token }: OpenSession): Promise<boolean> {
    const expiresAtMs = expiryOf(claimsOf(token));
    if (expiresAtMs <= Date.now()) return true;
    try {
      // The token was valid when the connection was opened, so it does not count as new.
      await this.askOnce(token, expiresAtMs, { isNew: false });
      return false;
    } catch (error) {
      if (!(error instanceof PortalError)) throw error;
      return error.code === 'auth.tokenInvalid';
    }
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A signed JWT as text (RFC 7515 §7.1), with header-safe characters only. */
const compact = /^[\w-]{1,4096}\.[\w-]{1,8192}\.[\w-]{1,4096}$/;

/** The claims of a token with an expiry; null for anything else. Only the service knows whether they are true. */
const claimsOf = (token: string): (TokenClaims & Record<string, unknown>) | null => {
  const claims = compact.test(token) && namesAlgorithm(token) ? readTokenClaims(token) : null;
  return claims && { ...claims };
};

/** In ms since the epoch; 0 without a token. */
const expiryOf = (claims: TokenClaims | null): number => (claims?.exp ?? 0) * 1000;

/** Whether the header names a signature algorithm (RFC 7519 §7.2, RFC 7515 §4.1.1). */
function namesAlgorithm(token: string): boolean {
  try {
    const header = JSON.parse(Buffer.from(token.split('.', 1)[0] as string, 'base64url').toString()) as {
      alg?: unknown;
    } | null;
    return typeof header?.alg === 'string' && header.alg !== 'none';
  } catch {
    return false;
  }
}
