import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { limits } from '@orange-id/contract/limits';
import { type EntityManager, type QueryDeepPartialEntity, Repository } from 'typeorm';
import { isActiveSession } from '../../auth/active.session.sql.js';
import { deletesAt } from '../../auth/deleted.accounts.js';
import { User } from '../../auth/user.entity.js';
import { RefreshToken } from '../entities/refresh-token.entity.js';

/** SQL; a shorter interval would cause a write for every request. */
const useNotedEvery = `interval '1 minute'`;

export type StoredSession = Pick<
  RefreshToken,
  'id' | 'userId' | 'provider' | 'party' | 'connectionId' | 'expiresAt'
>;

/** The SQL of sessions. A method with a `manager` runs in the caller's transaction. */
@Injectable()
export class SessionsRepository {
  constructor(
    @InjectRepository(RefreshToken) private readonly sessions: Repository<RefreshToken>,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  user(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  find(id: string): Promise<RefreshToken | null> {
    return this.sessions.findOneBy({ id });
  }

  owns(id: string, tokenHash: Buffer): Promise<boolean> {
    return this.sessions.existsBy({ id, tokenHash });
  }

  /** Locks a password of an account, if it is still the one with this hash, until the transaction ends. */
  async holdPassword(manager: EntityManager, userId: string, passwordHash: string): Promise<boolean> {
    const sql = 'select from credentials where user_id = $1 and password_hash = $2 for share';
    return (await manager.query<unknown[]>(sql, [userId, passwordHash])).length > 0;
  }

  /** Locks a linked identity of an account until the transaction ends; false if there is none. */
  async holdIdentity(manager: EntityManager, userId: string, identityId: string): Promise<boolean> {
    const sql = 'select from linked_identities where user_id = $1 and id = $2 for share';
    return (await manager.query<unknown[]>(sql, [userId, identityId])).length > 0;
  }

  /** What the user signed in with, if this is an active session of theirs at a portal. */
  async methodOf(
    manager: EntityManager,
    sessionId: string,
    userId: string,
  ): Promise<{ provider: string; identityId: string | null } | undefined> {
    const [row] = await manager.query<{ provider: string; identityId: string | null }[]>(
      `select provider, identity_id as "identityId" from refresh_tokens
       where id = $1 and user_id = $2 and connection_id is null and ${isActiveSession}`,
      [sessionId, userId],
    );
    return row;
  }

  async insert(manager: EntityManager, session: QueryDeepPartialEntity<RefreshToken>): Promise<void> {
    await manager.insert(RefreshToken, session);
  }

  /**
   * Inserts a session that continues the chain of an active one, until the chain would have ended; the earlier ones of
   * the chain end after the lifetime of an access token.
   */
  async continue(
    manager: EntityManager,
    next: { id: string; sessionId: string; userId: string; tokenHash: Buffer; userAgent: string | null },
  ): Promise<Pick<RefreshToken, 'provider' | 'party' | 'expiresAt'> | undefined> {
    const { id, sessionId, userId, tokenHash, userAgent } = next;
    const [row] = await manager.query<Pick<RefreshToken, 'provider' | 'party' | 'expiresAt'>[]>(
      `with before as (
         select * from refresh_tokens where id = $1 and user_id = $5 and ${isActiveSession} for no key update
       ), chain as (
         -- The session may already be about to end: a tab with its tokens links once more.
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
       returning provider, party, expires_at as "expiresAt"`,
      [sessionId, id, tokenHash, userAgent, userId],
    );
    return row;
  }

  /** Ends a session at this time at the latest. */
  async limit(sessionId: string, endsAt: Date): Promise<void> {
    await this.sessions
      .createQueryBuilder()
      .update()
      .set({ expiresAt: () => 'least(expires_at, :endsAt)' })
      .where('id = :sessionId', { sessionId, endsAt })
      .execute();
  }

  /** The active session with this refresh token, if it is of one of these portals, or of an app. */
  served(tokenHash: Buffer, parties: readonly (string | null)[]): Promise<StoredSession | null> {
    return this.sessions
      .createQueryBuilder('session')
      .where(...servedBy(tokenHash, parties))
      .getOne();
  }

  /** The same, and records its use. */
  async use(tokenHash: Buffer, parties: readonly (string | null)[]): Promise<StoredSession | null> {
    const { raw } = await this.sessions
      .createQueryBuilder('session')
      .update()
      .set({ lastUsedAt: () => 'now()' })
      .where(...servedBy(tokenHash, parties))
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

  /** The user of an active session of a portal or, with `connectionId`, of an app. */
  async signedIn(session: {
    sessionId: string;
    userId: string;
    connectionId: string | null;
  }): Promise<{ user: User; deletesAt: Date | null; isUseOld: boolean } | null> {
    const {
      entities: [user],
      raw: [row],
    } = await this.users
      .createQueryBuilder('user')
      .innerJoin(RefreshToken, 'sign_in', `sign_in.id = :sessionId and ${isActiveSession}`, session)
      .addSelect(deletesAt('user.id'), 'deletes_at')
      .addSelect(`sign_in.last_used_at < now() - ${useNotedEvery}`, 'is_use_old')
      .where('user.id = :userId and sign_in.user_id = :userId')
      .andWhere('sign_in.connection_id is not distinct from :connectionId')
      .getRawAndEntities<{ is_use_old: boolean; deletes_at: Date | null }>();
    return user && row ? { user, deletesAt: row.deletes_at, isUseOld: row.is_use_old } : null;
  }

  /** Records a use; does not wait for a concurrent change of the session. */
  async noteUse(sessionId: string): Promise<void> {
    await this.sessions.query(
      `update refresh_tokens set last_used_at = now() where id in (
         select id from refresh_tokens
         where id = $1 and last_used_at < now() - ${useNotedEvery} and ${isActiveSession}
         for update skip locked)`,
      [sessionId],
    );
  }

  /** Of several concurrent replacements of the same token one returns true. */
  async replaceToken(sessionId: string, hash: Buffer, next: Buffer): Promise<boolean> {
    const { affected } = await this.sessions
      .createQueryBuilder()
      .update()
      .set({ tokenHash: next })
      .where(`id = :sessionId and token_hash = :hash and ${isActiveSession}`, { sessionId, hash })
      .execute();
    return Boolean(affected);
  }

  /** The active session at a portal that has this refresh token. */
  atPortal(manager: EntityManager, hash: Buffer): Promise<RefreshToken | null> {
    return manager
      .createQueryBuilder(RefreshToken, 'session')
      .where(`token_hash = :hash and connection_id is null and ${isActiveSession}`, { hash })
      .getOne();
  }

  /** The active sessions of an account at portals, the latest use first. */
  ofUser(userId: string): Promise<RefreshToken[]> {
    return this.sessions
      .createQueryBuilder('session')
      .where(`user_id = :userId and connection_id is null and ${isActiveSession}`, { userId })
      .orderBy('session.lastUsedAt', 'DESC')
      .addOrderBy('session.id', 'DESC')
      .getMany();
  }

  revokeAll(manager: EntityManager, userId: string): Promise<string[]> {
    return revoke(manager, 'user_id = :userId', { userId });
  }

  /** `identityId` is null for sessions begun with a password. */
  revokeByMethod(
    manager: EntityManager,
    method: { userId: string; provider: string; identityId: string | null; keepId: string | null },
  ): Promise<string[]> {
    return revoke(
      manager,
      `user_id = :userId and chain_id is distinct from (select chain_id from refresh_tokens where id = :keepId)
       and (identity_id = :identityId or (identity_id is null and provider = :provider))`,
      method,
    );
  }

  revokeInApp(manager: EntityManager, userId: string, connectionId: string): Promise<string[]> {
    return revoke(manager, 'user_id = :userId and connection_id = :connectionId', { userId, connectionId });
  }

  revokeChain(manager: EntityManager, userId: string, sessionId: string): Promise<string[]> {
    return revoke(
      manager,
      `user_id = :userId and chain_id = (select chain_id from refresh_tokens where id = :sessionId) and ${isActiveSession}`,
      { userId, sessionId },
    );
  }

  /**
   * Ends the least recently used sessions above the limit of an account, at the portals or in one app; a chain counts
   * as one.
   */
  revokeOverLimit(
    manager: EntityManager,
    { userId, connectionId }: { userId: string; connectionId: string | null },
  ): Promise<string[]> {
    return revoke(
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

  /** Deletes sessions that have expired, and those that ended so long ago that none of their access tokens is valid. */
  async deleteOld(manager: EntityManager, userId: string): Promise<void> {
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
  }
}

function servedBy(
  hash: Buffer,
  parties: readonly (string | null)[],
): [where: string, parameters: Record<string, unknown>] {
  return [
    `token_hash = :hash and ${isActiveSession} and
       (party = any(:parties) or (party is null and :isNullServed) or connection_id is not null)`,
    { hash, parties: parties.filter((party) => party !== null), isNullServed: parties.includes(null) },
  ];
}

/** Returns the ids of the ended sessions. */
async function revoke(manager: EntityManager, condition: string, parameters: object): Promise<string[]> {
  const { raw } = await manager
    .createQueryBuilder()
    .update(RefreshToken)
    .set({ revokedAt: () => 'now()' })
    .where(`(${condition}) and revoked_at is null`, parameters)
    .returning('id')
    .execute();
  return (raw as { id: string }[]).map(({ id }) => id);
}
