import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ActiveSession, LoginResult } from '@orange-id/contract/identity.schema';
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
import { AccountChanges } from '../changes/account.changes.js';
import { AccessTokenSigner } from '../tokens/access-token.signer.js';
import { partyOfPage, servedParties } from '../tokens/party.rule.js';
import { deviceOf, keptUserAgent } from '../../auth/device.rule.js';
import { RefreshToken } from '../entities/refresh-token.entity.js';
import { SessionEndings } from '../../auth/session.endings.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
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

type StoredSession = Pick<RefreshToken, 'id' | 'userId' | 'provider' | 'party' | 'expiresAt'>;

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
  ) {}

  /**
   * Begins a session on the portal that the request's origin belongs to, and returns both tokens; the refresh token
   * cannot be read again later. Throws `auth.credentialsInvalid`, `auth.methodNotFound` or `auth.signatureInvalid` if
   * `proof` is no longer valid.
   */
  async begin(
    userId: string,
    provider: string,
    { userAgent, origin }: SignInClient,
    proof: SignInProof,
  ): Promise<LoginResult> {
    const id = newId();
    const party = partyOfPage(this.environment, origin);
    const refreshToken = newRefreshToken();
    const expiresAt = new Date(Date.now() + limits.sessionMaxSeconds * 1000);
    await this.dataSource.transaction(async (manager) => {
      await requireStill(manager, userId, proof);
      await manager.insert(RefreshToken, {
        id,
        chainId: id,
        userId,
        tokenHash: hashOf(refreshToken),
        provider,
        identityId: 'identityId' in proof ? proof.identityId : null,
        party,
        userAgent: keptUserAgent(userAgent),
        expiresAt,
      });
      await this.makeRoom(manager, userId);
    });
    const accessToken = await this.signer.sign({ userId, sessionId: id, provider, party, endsAt: expiresAt });
    return { user: { id: userId }, token: { accessToken, refreshToken } };
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
    const accessToken = await this.signer.sign({ userId, sessionId: id, provider, party, endsAt });
    return { user: { id: userId }, token: { accessToken, refreshToken } };
  }

  /**
   * A new access token of the same session, for the same portal. Throws `auth.refreshInvalid` if the token is unknown,
   * has ended, or was created for a portal that is no longer served.
   */
  async refresh(refreshToken: string): Promise<string> {
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
    const { id: sessionId, userId, provider, expiresAt: endsAt } = session;
    const party = session.party ?? this.environment.PUBLIC_URL;
    return this.signer.sign({ userId, sessionId, provider, party, endsAt });
  }

  /** The condition that finds the session of this refresh token if it is active and its portal is served. */
  private standingBy(refreshToken: string): [where: string, parameters: object] {
    const parties = servedParties(this.environment);
    return [
      `token_hash = :hash and ${isActiveSession} and (party = any(:parties) or (party is null and :isNullServed))`,
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
      .returning(['id', 'userId', 'provider', 'party', 'expiresAt'])
      .execute();
    const [row] = raw as {
      id: string;
      user_id: string;
      provider: string;
      party: string | null;
      expires_at: Date;
    }[];
    if (!row) return null;
    const { user_id: userId, expires_at: expiresAt, ...rest } = row;
    return { ...rest, userId, expiresAt };
  }

  /** The user of an active session; null otherwise. The session counts as used, recorded at most once a minute. */
  async findUser(sessionId: string, userId: string): Promise<User | null> {
    const {
      entities: [user],
      raw: [row],
    } = await this.users
      .createQueryBuilder('user')
      .innerJoin(RefreshToken, 'sign_in', `sign_in.id = :sessionId and ${isActiveSession}`, { sessionId })
      .addSelect(`sign_in.last_used_at < now() - ${useNotedEvery}`, 'is_use_old')
      .where('user.id = :userId and sign_in.user_id = :userId', { userId })
      .getRawAndEntities<{ is_use_old: boolean }>();
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

  /** Whether this refresh token belongs to this session. */
  async owns(sessionId: string, refreshToken: string): Promise<boolean> {
    return this.refreshTokens.existsBy({ id: sessionId, tokenHash: hashOf(refreshToken) });
  }

  /** The active sessions of an account, the latest use first; of a chain only the last one. */
  async list(userId: string, currentId: string): Promise<ActiveSession[]> {
    const all = await this.refreshTokens
      .createQueryBuilder('session')
      .where(`user_id = :userId and ${isActiveSession}`, { userId })
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
   * methods first and call this last, so that no new session slips in between.
   */
  async endAll(userId: string, manager: EntityManager): Promise<void> {
    await holdAccount(manager, userId);
    await this.revoke(manager, 'user_id = :userId', { userId });
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

  private endChain(userId: string, sessionId: string): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      return this.revoke(
        manager,
        `user_id = :userId and chain_id = (select chain_id from refresh_tokens where id = :sessionId) and ${isActiveSession}`,
        { userId, sessionId },
      );
    });
  }

  /** Returns the number of ended sessions. */
  private async revoke(manager: EntityManager, condition: string, parameters: object): Promise<number> {
    const { raw } = await manager
      .createQueryBuilder()
      .update(RefreshToken)
      .set({ revokedAt: () => 'now()' })
      .where(`(${condition}) and revoked_at is null`, parameters)
      .returning('id')
      .execute();
    const ids = (raw as { id: string }[]).map(({ id }) => id);
    afterCommit(manager, () => ids.forEach((id) => this.endings.emit(id, 'signedOut')));
    return ids.length;
  }

  /**
   * Deletes sessions that have expired, and those that ended so long ago that none of their access tokens is valid.
   * Ends the least recently used sessions above the limit of an account; a chain counts as one.
   */
  private async makeRoom(manager: EntityManager, userId: string): Promise<void> {
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
           select chain_id from refresh_tokens where user_id = :userId and ${isActiveSession} group by chain_id
           order by max(last_used_at) desc, chain_id desc offset ${limits.sessionsPerUser}
         ) for no key update skip locked
       )`,
      { userId },
    );
  }
}

/**
 * Waits for a concurrent change of the sign-in method, and locks it until the session is stored, where such a change
 * can find and end it.
 */
async function requireStill(manager: EntityManager, userId: string, proof: SignInProof): Promise<void> {
  const isPassword = 'passwordHash' in proof;
  if (!isPassword && proof.throughChain) await requireNoKeyProof(manager, proof.throughChain);
  const rows: unknown[] = await manager.query(
    isPassword
      ? 'select from credentials where user_id = $1 and password_hash = $2 for share'
      : 'select from linked_identities where user_id = $1 and id = $2 for share',
    [userId, isPassword ? proof.passwordHash : proof.identityId],
  );
  if (rows.length === 0)
    throw new PortalError(isPassword ? 'auth.credentialsInvalid' : 'auth.methodNotFound');
}

const newRefreshToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();
