import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ActiveSession, LoginResult } from '@orange-id/contract/identity.schema';
import type { TenantClaim } from '@orange-id/contract/tenant.claims';
import { limits } from '@orange-id/contract/limits';
import { createHash, randomBytes } from 'node:crypto';
import { DataSource, EntityManager, Repository } from 'typeorm';
import type { Address } from 'viem';
import { validate } from 'uuid';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { afterCommit } from '../../database/after.commit.js';
import { newId } from '../../database/new.id.js';
import { isShortage } from '../../http/error.filter.js';
import { PortalError } from '../../http/portal.error.js';
import { holdAccount } from '../../auth/account.locks.js';
import { accountDeleted, deletesAt, requireNotDeleted } from '../../auth/deleted.accounts.js';
import { requireNotDisabled } from '../../auth/disabled.accounts.js';
import { AccountChanges } from '../changes/account.changes.js';
import { AccessTokenSigner } from '../tokens/access-token.signer.js';
import { partyOfPage, servedParties } from '../tokens/party.rule.js';
import { claimsFor } from '../tenants/app.user.js';
import { originRefused, unknownTenant } from '../tenants/tenant.rule.js';
import { TenantsRepository } from '../tenants/tenants.repository.js';
import { Tenants } from '../tenants/tenants.service.js';
import { deviceOf, keptUserAgent, platformOf } from '../../auth/device.rule.js';
import { RefreshToken } from '../entities/refresh-token.entity.js';
import { ProjectChanges } from '../../realtime/project.changes.js';
import { SessionEndings } from '../../auth/session.endings.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import type { ProjectTenant } from '../../auth/tenant.js';
import { isActiveSession } from '../../auth/active.session.sql.js';
import { User } from '../../auth/user.entity.js';
import { requireNoKeyProof } from './key.proof.js';

/**
 * What the user signed in with, so that no session begins while it is being removed: the password that was checked (as
 * its stored hash), or the linked identity that was found. `throughChain` is the address of a wallet that an Ethereum
 * node vouched for, which no longer counts once its key has signed.
 */
export type SignInProof = { passwordHash: string } | { identityId: string; throughChain?: Address };

/** SQL; a shorter interval would cause a write for every request. */
const useNotedEvery = `interval '1 minute'`;

/** A person who has signed in at this portal, and the browser. */
interface PortalSession {
  userId: string;
  sessionId: string;
  userAgent: string | undefined;
  region?: string | undefined;
}

type Grant = readonly TenantClaim[] | null;

type StoredSession = Pick<
  RefreshToken,
  'id' | 'userId' | 'provider' | 'party' | 'connectionId' | 'expiresAt'
>;

/**
 * Sessions: each is one refresh token, which is replaced once, after a sign-in callback has delivered it in a URL, and
 * then stays the same (several tabs of the identity client refresh at once and keep the old one). It is stored as its
 * hash, and ends after 30 idle days, 90 days or at sign-out.
 */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @InjectRepository(RefreshToken) private readonly refreshTokens: Repository<RefreshToken>,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly changes: AccountChanges,
    private readonly dataSource: DataSource,
    private readonly signer: AccessTokenSigner,
    private readonly endings: SessionEndings,
    private readonly tenants: Tenants,
    private readonly tenantRows: TenantsRepository,
    private readonly projectChanges: ProjectChanges,
  ) {}

  /**
   * Begins a session on the portal that the request's origin belongs to, or in the app of the client's tenant, and
   * returns both tokens; the refresh token cannot be read again later. An app's id of the user is that of their
   * connection. Throws `auth.credentialsInvalid`, `auth.methodNotFound` or `auth.signatureInvalid` if `proof` is no
   * longer valid, `account.disabled`, and `auth.originNotAllowed` for an app whose request has no origin.
   */
  async begin(
    userId: string,
    provider: string,
    client: SignInClient,
    proof: SignInProof,
  ): Promise<LoginResult> {
    const { tenant, userAgent, region } = client;
    const party = tenant.kind === 'project' ? originOf(tenant) : partyOfPage(this.environment, client.origin);
    const identityId = 'identityId' in proof ? proof.identityId : null;
    return this.store(async (manager) => {
      await requireStill(manager, userId, proof);
      await requireNotDisabled(manager, userId);
      // Only the portal itself asks whether to keep a deleted account.
      if (party !== this.environment.PUBLIC_URL) await this.requireNotDeleted(manager, userId);
      let connectionId: string | null = null;
      if (tenant.kind === 'project') {
        connectionId = await this.connect(manager, tenant, userId);
        await this.countSignIn(manager, tenant, { connectionId, method: provider, userAgent, region });
      }
      return { userId, provider, identityId, party, userAgent, connectionId };
    });
  }

  /**
   * Begins a session in an app for the owner of a portal session. `claims` is what they let the app see from now on;
   * null leaves it as it is. Throws `auth.tokenInvalid` if the portal session has ended.
   */
  async beginInApp(owner: PortalSession, tenant: ProjectTenant, claims: Grant): Promise<LoginResult> {
    const { userId, userAgent, region } = owner;
    const party = originOf(tenant);
    return this.store(async (manager) => {
      const { connectionId, ...signedIn } = await this.grant(manager, owner, tenant, claims);
      const method = signedIn.provider;
      await this.countSignIn(manager, tenant, { connectionId, method, userAgent, region });
      return { ...signedIn, userId, party, userAgent, connectionId };
    });
  }

  /** Stores what the owner of a portal session lets an app see, without a session. Throws `auth.tokenInvalid`. */
  async grantToApp(
    owner: PortalSession,
    tenant: ProjectTenant,
    claims: readonly TenantClaim[],
  ): Promise<void> {
    await this.dataSource.transaction((manager) => this.grant(manager, owner, tenant, claims));
    this.projectChanges.emitSoon(tenant.ownerId, { projectId: tenant.code, kind: 'consented' });
  }

  private async grant(
    manager: EntityManager,
    { userId, sessionId }: PortalSession,
    tenant: ProjectTenant,
    claims: Grant,
  ): Promise<{ provider: string; identityId: string | null; connectionId: string }> {
    await holdAccount(manager, userId);
    const [row] = await manager.query<{ provider: string; identityId: string | null }[]>(
      `select provider, identity_id as "identityId" from refresh_tokens
       where id = $1 and user_id = $2 and connection_id is null and ${isActiveSession}`,
      [sessionId, userId],
    );
    if (!row) throw new PortalError('auth.tokenInvalid');
    await this.requireNotDeleted(manager, userId);
    const connectionId = await this.connect(manager, tenant, userId);
    if (claims !== null) await this.tenantRows.grant(manager, connectionId, claims);
    return { ...row, connectionId };
  }

  /** Ends a session at this time at the latest. */
  async limit(sessionId: string, endsAt: Date): Promise<void> {
    await this.refreshTokens
      .createQueryBuilder()
      .update()
      .set({ expiresAt: () => 'least(expires_at, :endsAt)' })
      .where('id = :sessionId', { sessionId, endsAt })
      .execute();
  }

  /** The person and the sign-in method of an active portal session; null if there is none. */
  async findSignedIn(sessionId: string, userId: string): Promise<{ user: User; provider: string } | null> {
    const user = await this.findUser(sessionId, userId);
    const session = user && (await this.refreshTokens.findOneBy({ id: sessionId }));
    return user && session && { user, provider: session.provider };
  }

  private requireNotDeleted(manager: EntityManager, userId: string): Promise<void> {
    return requireNotDeleted(manager, userId, this.environment.PUBLIC_URL);
  }

  private async connect(
    manager: EntityManager,
    { projectId, code }: ProjectTenant,
    userId: string,
  ): Promise<string> {
    const id = await this.tenantRows.connect(manager, { id: newId(), projectId, userId });
    // The project may have been deleted since the request was admitted.
    if (id === null) throw unknownTenant(code);
    return id;
  }

  /** Counts a sign-in for the project's owner, in its own transaction, and notifies the owner's pages. */
  private async countSignIn(
    manager: EntityManager,
    { code, ownerId }: ProjectTenant,
    signIn: { connectionId: string; method: string } & Pick<SignInClient, 'userAgent' | 'region'>,
  ): Promise<void> {
    const { connectionId, method, userAgent, region } = signIn;
    await this.tenantRows.countSignIn(manager, connectionId, {
      method,
      region,
      platform: platformOf(userAgent),
    });
    const change = { projectId: code, kind: 'signedIn' } as const;
    afterCommit(manager, () => this.projectChanges.emitSoon(ownerId, change));
  }

  /** Stores the session that `prepare` describes, in its transaction, and returns its tokens. */
  private async store(
    prepare: (manager: EntityManager) => Promise<
      Pick<RefreshToken, 'userId' | 'provider' | 'identityId' | 'party' | 'connectionId'> & {
        userAgent: string | undefined;
      }
    >,
  ): Promise<LoginResult> {
    const id = newId();
    const refreshToken = newRefreshToken();
    const expiresAt = new Date(Date.now() + limits.sessionMaxSeconds * 1000);
    const session = await this.dataSource.transaction(async (manager) => {
      const { userAgent, ...prepared } = await prepare(manager);
      const row = { id, chainId: id, ...prepared, expiresAt };
      await manager.insert(RefreshToken, {
        ...row,
        tokenHash: hashOf(refreshToken),
        userAgent: keptUserAgent(userAgent),
      });
      await this.makeRoom(manager, row);
      return row;
    });
    const accessToken = await this.accessTokenOf(session);
    return { user: { id: session.connectionId ?? session.userId }, token: { accessToken, refreshToken } };
  }

  /**
   * An access token of a session; that of an app has what the user lets it see now. Throws `auth.refreshInvalid` if the
   * app's project, its allowed origin or the user's connection is gone.
   */
  private async accessTokenOf({
    id: sessionId,
    userId,
    provider,
    party,
    connectionId,
    expiresAt: endsAt,
  }: StoredSession): Promise<string> {
    const signed = { sessionId, provider, party: party ?? this.environment.PUBLIC_URL, endsAt };
    if (connectionId === null) return this.signer.sign({ ...signed, subject: userId });
    const connection = await this.tenantRows.connection(connectionId);
    const user = await this.users.findOneBy({ id: userId });
    if (connection === null || user === null || !this.tenants.isAllowed(signed.party, connection.urls)) {
      throw new PortalError('auth.refreshInvalid');
    }
    return this.signer.sign(
      { ...signed, subject: connectionId },
      { audience: connection.code, claims: claimsFor(user, connection.claims) },
    );
  }

  /**
   * New tokens that replace those of a client after it linked a method: a new session with the start time of the first,
   * for the same portal, which ends when the first would have, or when the first is ended. The first stays valid for
   * the lifetime of an access token, for tabs that have the old tokens. Throws `auth.tokenInvalid` if the first has
   * ended.
   */
  async continueSession(
    { userId, sessionId, userAgent }: { userId: string; sessionId: string; userAgent: string | undefined },
    manager: EntityManager,
  ): Promise<LoginResult> {
    const id = newId();
    const refreshToken = newRefreshToken();
    // A concurrent call that ends sessions of this account either ends the new one too, or has already ended the first.
    await holdAccount(manager, userId);
    const [row] = (await manager.query(
      `with before as (
         select * from refresh_tokens where id = $1 and user_id = $5 and ${isActiveSession} for no key update
       ), chain as (
         -- The one that is carried on may be fading already: a tab that has not heard links once more.
         select max(r.expires_at) as ends_at from refresh_tokens r, before
           where r.chain_id = before.chain_id and r.revoked_at is null
       ), fading as (
         update refresh_tokens r
           set expires_at = least(r.expires_at, now() + make_interval(secs => ${limits.accessTokenSeconds}))
           from before where r.chain_id = before.chain_id and r.revoked_at is null
       )
       insert into refresh_tokens
         (id, chain_id, user_id, token_hash, provider, identity_id, party, user_agent, created_at, expires_at)
         select $2, chain_id, user_id, $3, provider, identity_id, party, $4, created_at, ends_at from before, chain
       returning provider, party, expires_at`,
      [sessionId, id, hashOf(refreshToken), keptUserAgent(userAgent), userId],
    )) as { provider: string; party: string | null; expires_at: Date }[];
    if (!row) throw new PortalError('auth.tokenInvalid');
    const { provider, expires_at: endsAt } = row;
    const party = row.party ?? this.environment.PUBLIC_URL;
    const accessToken = await this.signer.sign({ subject: userId, sessionId: id, provider, party, endsAt });
    return { user: { id: userId }, token: { accessToken, refreshToken } };
  }

  /**
   * A new access token of the same session, for the same portal or app. An app's must be requested by one of its pages:
   * `origin` is that of the request. Throws `auth.refreshInvalid` if the token is unknown, has ended, or was created for
   * a portal or an origin that is no longer served, and `auth.originNotAllowed`.
   */
  async refresh(refreshToken: string, origin: string | undefined): Promise<string> {
    const found = this.standingBy(refreshToken);
    const session = await this.markUsed(found).catch((error: unknown) => {
      // Users can keep reading while a disk is full; only the time of this use is lost.
      if (isShortage(error))
        return this.refreshTokens
          .createQueryBuilder('session')
          .where(...found)
          .getOne();
      throw error;
    });
    if (!session) throw new PortalError('auth.refreshInvalid');
    if (session.connectionId !== null) await this.requireOrigin(session.connectionId, origin);
    return this.accessTokenOf(session);
  }

  private async requireOrigin(connectionId: string, origin: string | undefined): Promise<void> {
    const connection = await this.tenantRows.connection(connectionId);
    if (connection === null) throw new PortalError('auth.refreshInvalid');
    if (origin === undefined) throw originRefused(origin, connection.code);
    if (!this.tenants.isAllowed(origin, connection.urls)) throw this.tenants.refused(origin, connection);
    await this.noteAppUse(connectionId, connection);
  }

  /** The condition that finds the session of this refresh token if it is active and its portal is served, or it is an app's. */
  private standingBy(refreshToken: string): [where: string, parameters: object] {
    const parties = servedParties(this.environment);
    return [
      `token_hash = :hash and ${isActiveSession} and 
         (party = any(:parties) or (party is null and :isNullServed) or connection_id is not null)`,
      {
        hash: hashOf(refreshToken),
        parties: parties.filter((party) => party !== null),
        isNullServed: parties.includes(null),
      },
    ];
  }

  private async markUsed(found: [where: string, parameters: object]): Promise<StoredSession | null> {
    const { raw } = await this.refreshTokens
      .createQueryBuilder('session')
      .update()
      .set({ lastUsedAt: () => 'now()' })
      .where(...found)
      .returning(['id', 'userId', 'provider', 'party', 'connectionId', 'expiresAt'])
      .execute();
    const [row] = raw as {
      id: string;
      user_id: string;
      provider: string;
      party: string | null;
      connection_id: string | null;
      expires_at: Date;
    }[];
    if (!row) return null;
    const { user_id: userId, connection_id: connectionId, expires_at: expiresAt, ...rest } = row;
    return { ...rest, userId, connectionId, expiresAt };
  }

  /**
   * The user of an active session of a portal or, with `connectionId`, of an app; null otherwise. The session counts as
   * used, recorded at most once a minute. Throws `account.deleted`.
   */
  async findUser(
    sessionId: string,
    userId: string,
    connectionId: string | null = null,
  ): Promise<User | null> {
    const {
      entities: [user],
      raw: [row],
    } = await this.users
      .createQueryBuilder('user')
      .innerJoin(RefreshToken, 'sign_in', `sign_in.id = :sessionId and ${isActiveSession}`, { sessionId })
      .addSelect(deletesAt('user.id'), 'deletes_at')
      .addSelect(`sign_in.last_used_at < now() - ${useNotedEvery}`, 'is_use_old')
      .where('user.id = :userId and sign_in.user_id = :userId', { userId })
      .andWhere('sign_in.connection_id is not distinct from :connectionId', { connectionId })
      .getRawAndEntities<{ is_use_old: boolean; deletes_at: Date | null }>();
    if (row?.deletes_at) throw accountDeleted(row.deletes_at, this.environment.PUBLIC_URL);
    if (row?.is_use_old) await this.noteUse(sessionId);
    return user ?? null;
  }

  /** Does not wait for a concurrent change of the session, and refuses no request while a disk is full. */
  private async noteUse(sessionId: string): Promise<void> {
    try {
      await this.dataSource.query(
        `update refresh_tokens set last_used_at = now() where id in (
           select id from refresh_tokens
           where id = $1 and last_used_at < now() - ${useNotedEvery} and ${isActiveSession}
           for update skip locked)`,
        [sessionId],
      );
    } catch (error) {
      if (!isShortage(error)) throw error;
    }
  }

  /** Records a use of a connection, at most once a minute; refuses no request while a disk is full. */
  async noteAppUse(connectionId: string, { isUseOld }: { isUseOld: boolean }): Promise<void> {
    if (!isUseOld) return;
    try {
      await this.tenantRows.noteUse(connectionId);
    } catch (error) {
      if (!isShortage(error)) throw error;
    }
  }

  /**
   * Replaces a refresh token that was part of a URL, which a log may contain; the session continues unchanged. Of
   * several concurrent calls with the same token one succeeds. Throws `auth.refreshInvalid`.
   */
  async replaceRefreshToken(sessionId: string, refreshToken: string): Promise<string> {
    const next = newRefreshToken();
    const { affected } = await this.refreshTokens
      .createQueryBuilder()
      .update()
      .set({ tokenHash: hashOf(next) })
      .where(`id = :sessionId and token_hash = :hash and ${isActiveSession}`, {
        sessionId,
        hash: hashOf(refreshToken),
      })
      .execute();
    if (!affected) throw new PortalError('auth.refreshInvalid');
    return next;
  }

  /**
   * The account of an active session at this portal, also if its owner has deleted the account. Throws
   * `auth.refreshInvalid`.
   */
  async holderOf(refreshToken: string, manager = this.dataSource.manager): Promise<string> {
    return (await this.sessionOf(refreshToken, manager)).userId;
  }

  /** Ends the session at this portal that has this refresh token. Throws `auth.refreshInvalid`. */
  async endOf(refreshToken: string): Promise<void> {
    const { id, userId } = await this.sessionOf(refreshToken, this.dataSource.manager);
    await this.endChain(userId, id);
  }

  private async sessionOf(refreshToken: string, manager: EntityManager): Promise<RefreshToken> {
    const session = await manager
      .createQueryBuilder(RefreshToken, 'session')
      .where(`token_hash = :hash and connection_id is null and ${isActiveSession}`, {
        hash: hashOf(refreshToken),
      })
      .getOne();
    if (!session) throw new PortalError('auth.refreshInvalid');
    return session;
  }

  /** Whether this refresh token belongs to this session. */
  async owns(sessionId: string, refreshToken: string): Promise<boolean> {
    return this.refreshTokens.existsBy({ id: sessionId, tokenHash: hashOf(refreshToken) });
  }

  /** The active sessions of an account at portals, the latest use first; of a chain only the last one. */
  async list(userId: string, currentId: string): Promise<ActiveSession[]> {
    const all = await this.refreshTokens
      .createQueryBuilder('session')
      .where(`user_id = :userId and connection_id is null and ${isActiveSession}`, { userId })
      .orderBy('session.lastUsedAt', 'DESC')
      .addOrderBy('session.id', 'DESC')
      .getMany();
    const newest = new Map<string, string>();
    for (const { id, chainId } of all) {
      if (id > (newest.get(chainId) ?? '')) newest.set(chainId, id);
    }
    const currentChain = all.find(({ id }) => id === currentId)?.chainId;
    const rows = all.filter(({ id, chainId }) => newest.get(chainId) === id);
    return rows.map(({ id, chainId, provider, userAgent, createdAt, lastUsedAt }) => ({
      id,
      provider,
      device: deviceOf(userAgent),
      signedInAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      isCurrent: chainId === currentChain,
    }));
  }

  /** Ends a session and its chain: their refresh tokens and all their access tokens are invalid from now on. */
  async end(sessionId: string): Promise<void> {
    const session = await this.refreshTokens.findOne({ select: { userId: true }, where: { id: sessionId } });
    if (session) await this.endChain(session.userId, sessionId);
  }

  /** Ends one session of this account. Throws `auth.sessionNotFound` if it has no active one with this id. */
  async endOne(userId: string, sessionId: string): Promise<void> {
    const ended = validate(sessionId) ? await this.endChain(userId, sessionId) : 0;
    if (ended === 0) throw new PortalError('auth.sessionNotFound');
  }

  /**
   * Ends all sessions of an account in the caller's transaction; sockets are notified at the commit. Change the sign-in
   * methods first and call this last, so that no new session slips in between. Returns the ids of the ended sessions.
   */
  async endAll(userId: string, manager: EntityManager): Promise<string[]> {
    await holdAccount(manager, userId);
    return this.revoke(manager, 'user_id = :userId', { userId });
  }

  /** The same at the owner's request. */
  async endEverywhere(userId: string, userAgent: string | undefined): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.endAll(userId, manager);
      await this.changes.note(manager, userId, { kind: 'signedOutEverywhere', userAgent });
    });
  }

  /**
   * Ends the sessions begun with a password (`identityId` null) or with one linked identity, except `keepId`: the
   * caller's session, if any. The caller has locked the account.
   */
  async endByMethod(
    manager: EntityManager,
    method: { userId: string; provider: string; identityId: string | null; keepId: string | null },
  ): Promise<void> {
    await this.revoke(
      manager,
      `user_id = :userId and chain_id is distinct from (select chain_id from refresh_tokens where id = :keepId)
       and (identity_id = :identityId or (identity_id is null and provider = :provider))`,
      method,
    );
  }

  /** Ends a person's sessions in an app, in the caller's transaction, which has locked the account. */
  async endInApp(manager: EntityManager, userId: string, connectionId: string): Promise<void> {
    await this.revoke(manager, 'user_id = :userId and connection_id = :connectionId', {
      userId,
      connectionId,
    });
  }

  /** Returns the number of ended sessions. */
  private endChain(userId: string, sessionId: string): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      const ended = await this.revoke(
        manager,
        `user_id = :userId and chain_id = (select chain_id from refresh_tokens where id = :sessionId) and ${isActiveSession}`,
        { userId, sessionId },
      );
      return ended.length;
    });
  }

  /** Returns the ids of the ended sessions. */
  private async revoke(manager: EntityManager, condition: string, parameters: object): Promise<string[]> {
    const { raw } = await manager
      .createQueryBuilder()
      .update(RefreshToken)
      .set({ revokedAt: () => 'now()' })
      .where(`(${condition}) and revoked_at is null`, parameters)
      .returning('id')
      .execute();
    const ids = (raw as { id: string }[]).map(({ id }) => id);
    afterCommit(manager, () => ids.forEach((id) => this.endings.emit(id, 'signedOut')));
    return ids;
  }

  /**
   * Deletes sessions that have expired, and those that ended so long ago that none of their access tokens is valid.
   * Ends the least recently used sessions above the limit of an account, at the portals or in one app; a chain counts as
   * one.
   */
  private async makeRoom(
    manager: EntityManager,
    { userId, connectionId }: Pick<RefreshToken, 'userId' | 'connectionId'>,
  ): Promise<void> {
    await manager
      .createQueryBuilder()
      .delete()
      .from(RefreshToken)
      .where(
        `id in (
           select id from refresh_tokens where user_id = :userId
             and (expires_at <= now() or revoked_at <= now() - make_interval(secs => ${limits.accessTokenSeconds}))
           for update skip locked
         )`,
        { userId },
      )
      .execute();
    await this.revoke(
      manager,
      `id in (
         select id from refresh_tokens where user_id = :userId and chain_id in (
           select chain_id from refresh_tokens
           where user_id = :userId and connection_id is not distinct from :connectionId and ${isActiveSession}
           group by chain_id order by max(last_used_at) desc, chain_id desc offset ${limits.sessionsPerUser}
         ) for no key update skip locked
       )`,
      { userId, connectionId },
    );
  }
}

/**
 * Waits for a concurrent change of the sign-in method, and locks it until the session is stored, where such a change
 * can find and end it. Locks the account before, so that each of several concurrent sign-ins counts the sessions of
 * those before it.
 */
async function requireStill(manager: EntityManager, userId: string, proof: SignInProof): Promise<void> {
  const isPassword = 'passwordHash' in proof;
  if (!isPassword && proof.throughChain) await requireNoKeyProof(manager, proof.throughChain);
  await holdAccount(manager, userId);
  const rows: unknown[] = await manager.query(
    isPassword
      ? 'select from credentials where user_id = $1 and password_hash = $2 for share'
      : 'select from linked_identities where user_id = $1 and id = $2 for share',
    [userId, isPassword ? proof.passwordHash : proof.identityId],
  );
  if (rows.length === 0)
    throw new PortalError(isPassword ? 'auth.credentialsInvalid' : 'auth.methodNotFound');
}

/** The origin of an app's page. Throws `auth.originNotAllowed` for a request without one. */
function originOf({ origin, code }: ProjectTenant): string {
  if (origin === null) throw originRefused(undefined, code);
  return origin;
}

const newRefreshToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();
