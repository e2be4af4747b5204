import { Injectable } from '@nestjs/common';
import { readTokenClaims } from '@orange-id/contract/token.rule';
import { createHash } from 'node:crypto';
import { PortalError } from '../../http/portal.error.js';
import { SessionEndings } from '../sign-ins/session.endings.js';
import {
  AccessTokenVerifier,
  type Authenticated,
  type OpenSession,
} from '../tokens/access-token.verifier.js';
import { IdentityClient } from './identity.client.js';
import { RemoteUsers } from './remote.users.js';

/** How long an answer of the identity service is believed; a sign-in it ends is dead here no later than that. */
const believedMs = 30_000;
const tokensMax = 10_000;
/** How often the service is asked about a sign-in that only holds a connection open. */
const openAskedEveryMs = 60_000;
const openAskedAtOnce = 4;

interface Checked {
  authenticated: Authenticated;
  atMs: number;
}

/**
 * Verifies access tokens by asking the identity service whose they are. A token is asked about once at a time, its
 * answer is believed for 30 s and never longer than the token lives. Only hashes of tokens are kept, and as the
 * service names no sign-in, that hash stands for it.
 */
@Injectable()
export class RemoteVerifier extends AccessTokenVerifier {
  private readonly checked = new Map<string, Checked>();
  private readonly asking = new Map<string, Promise<Authenticated>>();
  private isAskingAboutOpen = false;

  constructor(
    private readonly service: IdentityClient,
    private readonly users: RemoteUsers,
    private readonly endings: SessionEndings,
  ) {
    super();
  }

  async verify(token: string, nowMs = Date.now()): Promise<Authenticated> {
    const expiresAtMs = expiryOf(token);
    if (expiresAtMs <= nowMs) throw new PortalError('auth.tokenInvalid');
    const known = this.checked.get(hashOf(token));
    if (known && nowMs - known.atMs < believedMs) return known.authenticated;
    return this.askOnce(token, expiresAtMs);
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

  /** Whoever has this token signed out: nothing that was heard of it counts any more, here and on other instances. */
  signOut(token: string): void {
    const sessionId = hashOf(token);
    this.forget(sessionId);
    this.endings.emit(sessionId, 'signedOut');
  }

  override forget(sessionId: string): void {
    this.checked.delete(sessionId);
    // An answer that is on its way was given before the sign-out.
    this.asking.delete(sessionId);
  }

  private askOnce(token: string, expiresAtMs: number): Promise<Authenticated> {
    const sessionId = hashOf(token);
    const underWay = this.asking.get(sessionId);
    if (underWay) return underWay;
    const atMs = Date.now();
    const asked: Promise<Authenticated> = this.ask(token, { sessionId, expiresAtMs }).then(
      (authenticated) => {
        if (this.asking.get(sessionId) === asked) this.remember(sessionId, { authenticated, atMs });
        return authenticated;
      },
      (error: unknown) => {
        if (this.asking.get(sessionId) === asked) this.asking.delete(sessionId);
        throw error;
      },
    );
    this.asking.set(sessionId, asked);
    return asked;
  }

  private async ask(
    token: string,
    session: Pick<Authenticated, 'sessionId' | 'expiresAtMs'>,
  ): Promise<Authenticated> {
    const remote = await this.service.readUser(token);
    if (remote) return { ...session, user: await this.users.keep(remote) };
    // Known until now: what it opened is to be closed.
    if (this.checked.delete(session.sessionId)) this.endings.emit(session.sessionId, 'signedOut');
    throw new PortalError('auth.tokenInvalid');
  }

  private remember(sessionId: string, checked: Checked): void {
    this.asking.delete(sessionId);
    this.checked.delete(sessionId);
    this.checked.set(sessionId, checked);
    if (this.checked.size <= tokensMax) return;
    const oldest = this.checked.keys().next();
    if (!oldest.done) this.checked.delete(oldest.value);
  }

  private isDue(sessionId: string): boolean {
    const known = this.checked.get(sessionId);
    return !known || Date.now() - known.atMs >= openAskedEveryMs;
  }

  private async hasEnded({ token }: OpenSession): Promise<boolean> {
    const expiresAtMs = expiryOf(token);
    if (expiresAtMs <= Date.now()) return true;
    try {
      await this.askOnce(token, expiresAtMs);
      return false;
    } catch (error) {
      if (!(error instanceof PortalError)) throw error;
      return error.code === 'auth.tokenInvalid';
    }
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A signed JWT as text (RFC 7515 §7.1), and nothing that could not stand in a header. */
const compact = /^[\w-]{1,4096}\.[\w-]{1,8192}\.[\w-]{1,4096}$/;

/** `exp` in ms since the epoch; 0 for what is no token. Only the service can say whether the rest of it is true. */
const expiryOf = (token: string): number =>
  compact.test(token) && namesAlgorithm(token) ? (readTokenClaims(token)?.exp ?? 0) * 1000 : 0;

/** Whether the header is one of a JWT (RFC 7519 §7.2, RFC 7515 §4.1.1). */
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
