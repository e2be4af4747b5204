import { Inject, Injectable } from '@nestjs/common';
import type { ActiveSession, LoginResult } from '@orange-id/contract/identity.schema';
import type { TenantClaim } from '@orange-id/contract/tenant.claims';
import { limits } from '@orange-id/contract/limits';
import { createHash, randomBytes } from 'node:crypto';
import { DataSource, EntityManager } from 'typeorm';
import type { Address } from 'viem';
import { validate } from 'uuid';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { afterCommit } from '../../database/after.commit.js';
import { newId } from '../../database/new.id.js';
import { isShortage } from '../../http/error.filter.js';
import { PortalError } from '../../http/portal.error.js';
import { holdAccount } from '../../auth/account.locks.js';
import { accountDeleted, requireNotDeleted } from '../../auth/deleted.accounts.js';
import { requireNotDisabled } from '../../auth/disabled.accounts.js';
import { AccountChanges } from '../changes/account.changes.js';
import { AccessTokenSigner } from '../tokens/access-token.signer.js';
import { partyOfPage, servedParties } from '../tokens/party.rule.js';
import { claimsFor } from '../tenants/app.user.js';
import { originRefused, unknownTenant } from '../tenants/tenant.rule.js';
import { TenantsRepository } from '../tenants/tenants.repository.js';
import { Tenants } from '../tenants/tenants.service.js';
import { deviceOf, keptUserAgent, platformOf } from '../../auth/device.rule.js';
import { ProjectChanges } from '../../realtime/project.changes.js';
import { SessionEndings } from '../../auth/session.endings.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import type { ProjectTenant } from '../../auth/tenant.js';
import type { User } from '../../auth/user.entity.js';
import type { RefreshToken } from '../entities/refresh-token.entity.js';
import { requireNoKeyProof } from './key.proof.js';
import { SessionsRepository, type StoredSession } from './sessions.repository.js';

/**
 * What the user signed in with, so that no session begins while it is being removed: the password that was checked (as
 * its stored hash), or the linked identity that was found. `throughChain` is the address of a wallet that an Ethereum
 * node vouched for, which no longer counts once its key has signed.
 */
export type SignInProof = { passwordHash: string } | { identityId: string; throughChain?: Address };

/** A person who has signed in at this portal, and the browser. */
interface PortalSession {
  userId: string;
  sessionId: string;
  userAgent: string | undefined;
  region?: string | undefined;
}

type Grant = readonly TenantClaim[] | null;

/**
 * Sessions: each is one refresh token, which is replaced once, after a sign-in callback has delivered it in a URL, and
 * then stays the same (several tabs of the identity client refresh at once and keep the old one). It is stored as its
 * hash, and ends after 30 idle days, 90 days or at sign-out.
 */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly rows: SessionsRepository,
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
      await this.requireStill(manager, userId, proof);
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
    const session = await this.rows.methodOf(manager, sessionId, userId);
    if (!session) throw new PortalError('auth.tokenInvalid');
    await this.requireNotDeleted(manager, userId);
    const connectionId = await this.connect(manager, tenant, userId);
    if (claims !== null) await this.tenantRows.grant(manager, connectionId, claims);
    return { ...session, connectionId };
  }

  /** Ends a session at this time at the latest. */
  limit(sessionId: string, endsAt: Date): Promise<void> {
    return this.rows.limit(sessionId, endsAt);
  }

  /** The person and the sign-in method of an active portal session; null if there is none. */
  async findSignedIn(sessionId: string, userId: string): Promise<{ user: User; provider: string } | null> {
    const user = await this.findUser(sessionId, userId);
    const session = user && (await this.rows.find(sessionId));
    return user && session && { user, provider: session.provider };
  }

  /**
   * Waits for a concurrent change of the sign-in method, and locks it until the session is stored, where such a change
   * can find and end it. Locks the account before, so that each of several concurrent sign-ins counts the sessions of
   * those before it.
   */
  private async requireStill(manager: EntityManager, userId: string, proof: SignInProof): Promise<void> {
    const isPassword = 'passwordHash' in proof;
    if (!isPassword && proof.throughChain) await requireNoKeyProof(manager, proof.throughChain);
    await holdAccount(manager, userId);
    const isHeld = isPassword
      ? await this.rows.holdPassword(manager, userId, proof.passwordHash)
      : await this.rows.holdIdentity(manager, userId, proof.identityId);
    if (!isHeld) throw new PortalError(isPassword ? 'auth.credentialsInvalid' : 'auth.methodNotFound');
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
      await this.rows.insert(manager, {
        ...row,
        tokenHash: hashOf(refreshToken),
        userAgent: keptUserAgent(userAgent),
      });
      await this.rows.deleteOld(manager, row.userId);
      this.announce(manager, await this.rows.revokeOverLimit(manager, row));
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
    const user = await this.rows.user(userId);
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
    const row = await this.rows.continue(manager, {
      id,
      sessionId,
      userId,
      tokenHash: hashOf(refreshToken),
      userAgent: keptUserAgent(userAgent),
    });
    if (!row) throw new PortalError('auth.tokenInvalid');
    const { provider, expiresAt: endsAt } = row;
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
    const hash = hashOf(refreshToken);
    const parties = servedParties(this.environment);
    const session = await this.rows.use(hash, parties).catch((error: unknown) => {
      // Users can keep reading while a disk is full; only the time of this use is lost.
      if (isShortage(error)) return this.rows.served(hash, parties);
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

  /**
   * The user of an active session of a portal or, with `connectionId`, of an app; null otherwise. The session counts as
   * used, recorded at most once a minute. Throws `account.deleted`.
   */
  async findUser(
    sessionId: string,
    userId: string,
    connectionId: string | null = null,
  ): Promise<User | null> {
    const found = await this.rows.signedIn({ sessionId, userId, connectionId });
    if (found?.deletesAt) throw accountDeleted(found.deletesAt, this.environment.PUBLIC_URL);
    if (found?.isUseOld) await unlessShort(() => this.rows.noteUse(sessionId));
    return found?.user ?? null;
  }

  /** Records a use of a connection, at most once a minute; refuses no request while a disk is full. */
  async noteAppUse(connectionId: string, { isUseOld }: { isUseOld: boolean }): Promise<void> {
    if (isUseOld) await unlessShort(() => this.tenantRows.noteUse(connectionId));
  }

  /**
   * Replaces a refresh token that was part of a URL, which a log may contain; the session continues unchanged. Of
   * several concurrent calls with the same token one succeeds. Throws `auth.refreshInvalid`.
   */
  async replaceRefreshToken(sessionId: string, refreshToken: string): Promise<string> {
    const next = newRefreshToken();
    const isReplaced = await this.rows.replaceToken(sessionId, hashOf(refreshToken), hashOf(next));
    if (!isReplaced) throw new PortalError('auth.refreshInvalid');
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
    const session = await this.rows.atPortal(manager, hashOf(refreshToken));
    if (!session) throw new PortalError('auth.refreshInvalid');
    return session;
  }

  /** Whether this refresh token belongs to this session. */
  owns(sessionId: string, refreshToken: string): Promise<boolean> {
    return this.rows.owns(sessionId, hashOf(refreshToken));
  }

  /** The active sessions of an account at portals, the latest use first; of a chain only the last one. */
  async list(userId: string, currentId: string): Promise<ActiveSession[]> {
    const all = await this.rows.ofUser(userId);
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
    const session = await this.rows.find(sessionId);
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
    return this.announce(manager, await this.rows.revokeAll(manager, userId));
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
    this.announce(manager, await this.rows.revokeByMethod(manager, method));
  }

  /** Ends a person's sessions in an app, in the caller's transaction, which has locked the account. */
  async endInApp(manager: EntityManager, userId: string, connectionId: string): Promise<void> {
    this.announce(manager, await this.rows.revokeInApp(manager, userId, connectionId));
  }

  /** Returns the number of ended sessions. */
  private endChain(userId: string, sessionId: string): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      return this.announce(manager, await this.rows.revokeChain(manager, userId, sessionId)).length;
    });
  }

  /** Notifies the sockets of ended sessions after the commit, and returns their ids. */
  private announce(manager: EntityManager, ids: string[]): string[] {
    afterCommit(manager, () => ids.forEach((id) => this.endings.emit(id, 'signedOut')));
    return ids;
  }
}

/** Runs a write that only records a use: a request still succeeds while a disk is full. */
async function unlessShort(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isShortage(error)) throw error;
  }
}

/** The origin of an app's page. Throws `auth.originNotAllowed` for a request without one. */
function originOf({ origin, code }: ProjectTenant): string {
  if (origin === null) throw originRefused(undefined, code);
  return origin;
}

const newRefreshToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();
