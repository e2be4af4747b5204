import { Inject, Injectable } from '@nestjs/common';
import type { ProviderName, SignInMethodName } from '@orange-id/contract/sign-in.methods';
import { limits } from '@orange-id/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash, randomBytes } from 'node:crypto';
import { DataSource, EntityManager } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { cookieOf } from '../../http/cookie.js';
import { PortalError } from '../../http/portal.error.js';

const flowsMax = 10;
const passwordsMax = 5;

/** The account to link to, and the session that requested the linking. */
export interface Linking {
  userId: string;
  sessionId: string;
}

/**
 * A sign-in or linking that this browser has begun with a provider. `callback` is the registered address where the flow
 * ends.
 */
export interface Flow {
  provider: ProviderName;
  callback: string;
  expiresAtMs: number;
  link?: Linking;
  /** The id of the confirmed linking; it ends with this flow. */
  proposal?: string;
  /** A value from the page that began the flow, by which the page recognises its own return. */
  tab?: string;
  /** Set if the flow only confirms the identity of this account's owner: it links nothing and signs nobody in. */
  proof?: { userId: string };
  /** While a linking waits for its confirmation: the value that its form must contain. */
  csrf?: string;
  /** The id of the app's sign-in that this one is for; the browser then returns to its consent page. */
  app?: string;
  /** Set once the browser is sent to the provider. */
  nonce?: string;
  verifier?: string;
}

/**
 * A sign-in that an app has begun in this browser, from its request to the consent. `code` is the app's project.
 * `callback` is the allowed URL where it ends; null if it only changes what the app sees.
 */
export interface AppFlow {
  code: string;
  callback: string | null;
  display: 'page' | 'popup';
  method?: SignInMethodName;
  /** A value from the app, by which it recognises the return. */
  tab?: string;
  /** The country of the browser (ISO 3166), as far as the app's request names it. */
  region?: string | undefined;
  /** Whether the person is asked even if they have consented before. */
  isAsked: boolean;
  /** The value that the form of the consent page must contain; new for each person who signs in. */
  csrf: string;
  /** The portal session of the person who has signed in. A temporary one ends with the flow. */
  signedIn?: { userId: string; sessionId: string; isTemporary: boolean };
  expiresAtMs: number;
}

/**
 * The content of a browser session. `userId` and `sessionId` name the last user and session in this browser,
 * `provenAtMs` when the user last signed in or confirmed their identity (ms since the epoch by the database's clock),
 * `passwords` the marks of the passwords set in it, newest first.
 */
export interface SessionContent {
  userId?: string;
  sessionId?: string;
  provenAtMs?: number;
  passwords?: string[];
  /** Keyed by OpenID `state`, or by a separate id while a linking waits for its confirmation. */
  flows: Record<string, Flow>;
  apps?: Record<string, AppFlow>;
}

interface Expiring {
  expiresAtMs: number;
}

type Change<T> = (content: SessionContent) => T;

/**
 * Cookie sessions. They bind a sign-in or linking to the browser that began it, and store the time until which the
 * browser may change an account's sign-in methods. A cookie alone authorises nothing: that takes a bearer token, or the
 * secret in a link. The cookie contains 256 random bits, of which the database stores the SHA-256.
 */
@Injectable()
export class BrowserSessions {
  private readonly cookieName: string;
  private readonly isHttps: boolean;
  private readonly origin: string;

  constructor(
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'PUBLIC_URL'>,
    private readonly dataSource: DataSource,
  ) {
    this.origin = new URL(environment.PUBLIC_URL).origin;
    this.isHttps = environment.PUBLIC_URL.startsWith('https:');
    // The prefix prevents other hosts of the same site from setting the cookie.
    this.cookieName = this.isHttps ? '__Host-portal_session' : 'portal_session';
  }

  /** The content of this browser's session; null if it has none. */
  async read(request: FastifyRequest): Promise<SessionContent | null> {
    const [row] = await this.dataSource.query<{ sess: SessionContent }[]>(
      'select sess from sessions where sid = $1 and expire > now()',
      [hashOf(this.valueOf(request))],
    );
    return row?.sess ?? null;
  }

  /**
   * Changes the content of this browser's session, one request after the other; returns null, and changes nothing, if
   * it has none.
   */
  async change<T>(request: FastifyRequest, change: Change<T>): Promise<T | null> {
    const sid = hashOf(this.valueOf(request));
    return this.dataSource.transaction(async (manager) => {
      const content = await hold(manager, sid);
      if (content === null) return null;
      const result = change(content);
      await manager.query('update sessions set sess = $2 where sid = $1', [sid, content]);
      return result;
    });
  }

  /** Like `change`, but creates the session if it is missing, and restarts its lifetime. */
  async open<T>(request: FastifyRequest, reply: FastifyReply, change: Change<T>): Promise<T> {
    const value = this.valueOf(request);
    return this.dataSource.transaction(async (manager) => {
      const known = await hold(manager, hashOf(value));
      const content = known ?? { flows: {} };
      const result = change(content);
      await this.keep(manager, reply, known && value ? value : newValue(), content);
      return result;
    });
  }

  /**
   * Like `change`, under a new value of the cookie, which nobody can have planted. Does nothing if `change` returns
   * null.
   */
  async renew<T>(request: FastifyRequest, reply: FastifyReply, change: Change<T | null>): Promise<T | null> {
    const sid = hashOf(this.valueOf(request));
    return this.dataSource.transaction(async (manager) => {
      const content = await hold(manager, sid);
      const result = content && change(content);
      if (content === null || result === null) return null;
      await manager.query('delete from sessions where sid = $1', [sid]);
      await this.keep(manager, reply, newValue(), content);
      return result;
    });
  }

  /**
   * Binds the browser to the user who has signed in with it. The cookie gets a new value, which nobody can have
   * planted, unless the browser was already bound to the same session: tabs that open together keep sharing one value.
   * The time of the sign-in counts as the confirmation, not that of the binding: stolen tokens confirm nothing new.
   */
  async bind(
    request: FastifyRequest,
    reply: FastifyReply,
    who: { userId: string; sessionId: string },
  ): Promise<void> {
    const value = this.valueOf(request);
    await this.dataSource.transaction(async (manager) => {
      const known = await hold(manager, hashOf(value));
      const [signIn] = await manager.query<{ atMs: number }[]>(
        `select ${asMs('created_at')} as "atMs" from refresh_tokens where id = $1 and user_id = $2`,
        [who.sessionId, who.userId],
      );
      const provenBeforeMs = known?.userId === who.userId ? (known.provenAtMs ?? 0) : 0;
      const provenAtMs = Math.max(provenBeforeMs, signIn?.atMs ?? 0);
      const isNoted = known?.sessionId === who.sessionId && known.provenAtMs === provenAtMs;
      if (!isNoted) await manager.query('delete from sessions where sid = $1', [hashOf(value)]);
      const next = { ...(known ?? { flows: {} }), ...who, provenAtMs };
      await this.keep(manager, reply, isNoted && value ? value : newValue(), next);
    });
  }

  /**
   * Records that the user who is signed in with this browser confirmed their identity `agoMs` milliseconds ago, under a
   * new value as in `bind`, and returns when that confirmation expires. Throws `auth.browserUnbound` if another account
   * is signed in.
   */
  async prove(request: FastifyRequest, reply: FastifyReply, userId: string, agoMs = 0): Promise<Date> {
    const sid = hashOf(this.valueOf(request));
    return this.dataSource.transaction(async (manager) => {
      const known = await hold(manager, sid);
      if (known?.userId !== userId) throw new PortalError('auth.browserUnbound');
      await manager.query('delete from sessions where sid = $1', [sid]);
      const [now] = await manager.query<[{ ms: number }]>(`select ${asMs('now()')} as ms`);
      const provenAtMs = Math.max(now.ms - agoMs, known.provenAtMs ?? 0);
      await this.keep(manager, reply, newValue(), { ...known, provenAtMs });
      return new Date(provenAtMs + limits.freshProofSeconds * 1000);
    });
  }

  /** When this browser's fresh confirmation for this account expires; null if it has none. */
  async provenUntil(request: FastifyRequest, userId: string): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ sess: SessionContent; nowMs: number }[]>(
      `select sess, ${asMs('now()')} as "nowMs" from sessions where sid = $1 and expire > now()`,
      [hashOf(this.valueOf(request))],
    );
    if (!row || row.sess.userId !== userId || row.sess.provenAtMs === undefined) return null;
    const untilMs = row.sess.provenAtMs + limits.freshProofSeconds * 1000;
    return untilMs > row.nowMs ? new Date(untilMs) : null;
  }

  /** Throws `auth.browserUnbound` unless this account was the last to sign in with this browser. */
  async requireBound(request: FastifyRequest, userId: string): Promise<void> {
    const content = await this.read(request);
    if (content?.userId !== userId) throw new PortalError('auth.browserUnbound');
  }

  /** Throws `auth.proofRequired` unless this browser has a fresh confirmation for this account. */
  async requireProof(request: FastifyRequest, userId: string): Promise<void> {
    if ((await this.provenUntil(request, userId)) === null) throw new PortalError('auth.proofRequired');
  }

  /**
   * Records that a password was set in this browser, so that a user who confirms the address here is known to have
   * chosen the password. A link can put tokens into a browser, but not this record: the routes that call it read only
   * JSON, which a page of another origin cannot send with cookies (CORS), or a form with a secret from an email; the
   * cookie is `SameSite=Lax`; and requests from outside the portal's pages are not recorded. A record covers one
   * setting of one password, so those of several users in one browser do not vouch for each other.
   */
  async notePassword(request: FastifyRequest, reply: FastifyReply, mark: string): Promise<void> {
    if (!this.isOwnPage(request)) return;
    await this.open(request, reply, (content) => {
      content.passwords = [mark, ...(content.passwords ?? [])].slice(0, passwordsMax);
    });
  }

  private isOwnPage({ headers }: FastifyRequest): boolean {
    // Browsers send `Sec-Fetch-Site` only to https origins and to the same machine.
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin';
    return headers.origin === undefined || headers.origin === this.origin;
  }

  /** Stores a session, and deletes some expired ones, so that the table stays small without a timer. */
  private async keep(
    manager: EntityManager,
    reply: FastifyReply,
    value: string,
    content: SessionContent,
  ): Promise<void> {
    // A session without a sign-in or a password is needed for one flow only.
    const isForFlow = content.userId === undefined && content.passwords === undefined;
    const seconds = isForFlow ? limits.socialFlowSeconds : limits.browserSessionSeconds;
    await manager.query(
      `with purged as (
         delete from sessions where sid in (
           select sid from sessions where expire <= now() order by expire limit 100 for update skip locked
         )
       )
       insert into sessions (sid, sess, expire) values ($1, $2, now() + make_interval(secs => $3))
       on conflict (sid) do update set sess = excluded.sess, expire = excluded.expire`,
      [hashOf(value), content, seconds],
    );
    const secure = this.isHttps ? '; Secure' : '';
    void reply.header(
      'set-cookie',
      `${this.cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }

  private valueOf(request: FastifyRequest): string | null {
    return cookieOf(request, this.cookieName);
  }
}

/** Adds a flow; drops the oldest ones above the limit. */
export function addFlow(content: SessionContent, id: string, flow: Omit<Flow, 'expiresAtMs'>): void {
  content.flows = withFlow(content.flows, id, flow);
}

/** The same for a sign-in that an app has begun. */
export function addAppFlow(content: SessionContent, id: string, flow: Omit<AppFlow, 'expiresAtMs'>): void {
  content.apps = withFlow(content.apps ?? {}, id, flow);
}

function withFlow<T extends Expiring>(
  flows: Record<string, T>,
  id: string,
  flow: Omit<T, 'expiresAtMs'>,
): Record<string, T> {
  const standing = Object.entries(flows)
    .filter(([, { expiresAtMs }]) => expiresAtMs > Date.now())
    .sort(([, a], [, b]) => a.expiresAtMs - b.expiresAtMs)
    .slice(-(flowsMax - 1));
  const expiresAtMs = Date.now() + limits.socialFlowSeconds * 1000;
  return Object.fromEntries([...standing, [id, { ...flow, expiresAtMs } as T]]);
}

/** The unexpired flow of this id if `isMine` returns true; null otherwise. */
export function findFlow(content: SessionContent, id: string, isMine: (flow: Flow) => boolean): Flow | null {
  const flow = standing(content.flows, id);
  return flow && isMine(flow) ? flow : null;
}

/** The same, and removes it. */
export function takeFlow(content: SessionContent, id: string, isMine: (flow: Flow) => boolean): Flow | null {
  const flow = findFlow(content, id, isMine);
  if (flow) delete content.flows[id];
  return flow;
}

/** The unexpired sign-in of this id that an app has begun; null otherwise. */
export function findAppFlow({ apps = {} }: SessionContent, id: string): AppFlow | null {
  return standing(apps, id);
}

/** The same, and removes it, if `isMine` returns true. */
export function takeAppFlow(
  content: SessionContent,
  id: string,
  isMine: (flow: AppFlow) => boolean,
): AppFlow | null {
  const flow = findAppFlow(content, id);
  if (!flow || !isMine(flow)) return null;
  delete content.apps?.[id];
  return flow;
}

function standing<T extends Expiring>(flows: Record<string, T>, id: string): T | null {
  const flow = Object.hasOwn(flows, id) ? flows[id] : undefined;
  return flow && flow.expiresAtMs > Date.now() ? flow : null;
}

/** The content of a session, with its row locked until the caller's transaction ends. */
async function hold(manager: EntityManager, sid: string | null): Promise<SessionContent | null> {
  const [row] = await manager.query<{ sess: SessionContent }[]>(
    'select sess from sessions where sid = $1 and expire > now() for update',
    [sid],
  );
  return row?.sess ?? null;
}

/** A timestamp as milliseconds since the epoch, in SQL. */
const asMs = (moment: string): string => `(extract(epoch from ${moment}) * 1000)::float8`;

const newValue = (): string => randomBytes(32).toString('base64url');

/** The key of a session; without a cookie null, which matches no row. */
const hashOf = (value: string | null): string | null =>
  value === null ? null : createHash('sha256').update(value).digest('hex');
