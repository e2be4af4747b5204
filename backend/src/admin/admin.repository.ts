import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { embeddedIssuer } from '../auth/user.entity.js';

export type AdminAction = 'find' | 'disable' | 'enable' | 'revoke' | 'quota' | 'mail';

/** What an administrator names an account by. */
export type AccountName = { id: string } | { email: string } | { wallet: string };

/** An account as its administrators see it. */
export interface FoundAccount {
  id: string;
  displayName: string | null;
  createdAt: Date;
  disabledAt: Date | null;
  deletesAt: Date | null;
  emails: { email: string; isVerified: boolean; of: string }[];
  wallets: string[];
  projects: { projectId: string; name: string }[];
  keys: { id: string; name: string; prefix: string; projectId: string | null; isActive: boolean }[];
  callsToday: number;
  /** Calls per day: null for the portal's, 0 for no quota. */
  quota: number | null;
  /** What administrators did, newest first, at most 20. */
  actions: { at: string; action: string; actorId: string; keyId: string | null; fields: string[] }[];
}

export interface KeyToRevoke {
  id: string;
  name: string;
  userId: string;
}

interface ActionGiven {
  id: string;
  actorId: string;
  accountId: string;
  action: AdminAction;
  keyId?: string;
  /** The fields that it changes, with what may name a person. */
  fields: Record<string, { before: string | null; after: string | null } | null>;
}

const accountsMost = 20;

/** The SQL of administration. */
@Injectable()
export class AdminRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The ids of the accounts of this name: several may have entered one email, and none needs to have confirmed it. */
  async idsOf(name: AccountName): Promise<string[]> {
    const [condition, value] =
      'id' in name
        ? ['u.id = $1', name.id]
        : 'email' in name
          ? [
              `$1 in (lower(u.email), lower(u.pending_email))
               or exists (select from credentials c where c.user_id = u.id and lower(c.email) = $1)
               or exists (select from linked_identities i where i.user_id = u.id and lower(i.email) = $1)`,
              name.email.toLowerCase(),
            ]
          : [
              `lower(u.eth_address) = $1 or exists (select from linked_identities i
                 where i.user_id = u.id and i.provider = 'wallet' and lower(i.subject) = $1)`,
              name.wallet.toLowerCase(),
            ];
    const rows = await this.dataSource.query<{ id: string }[]>(
      `select u.id from users u where u.issuer = $2 and (${condition}) order by u.id limit ${accountsMost}`,
      [value, embeddedIssuer],
    );
    return rows.map(({ id }) => id);
  }

  async accounts(ids: readonly string[]): Promise<FoundAccount[]> {
    return this.dataSource.query(
      `select u.id, u.display_name as "displayName", u.created_at as "createdAt", d.disabled_at as "disabledAt",
         gone.due_at as "deletesAt",
         (select coalesce(json_agg(json_build_object('email', known.email, 'isVerified', known.verified, 'of', known.of)
            order by known.of), '[]') from (
              select u.email, u.email_verified as verified, 'profile' as of
              union all select u.pending_email, false, 'profile, not confirmed yet'
              union all select c.email, c.email_verified, 'password' from credentials c where c.user_id = u.id
              union all select i.email, i.email_verified, i.provider from linked_identities i where i.user_id = u.id
            ) as known where known.email is not null) as emails,
         array(select i.subject from linked_identities i where i.user_id = u.id and i.provider = 'wallet'
           union select u.eth_address where u.eth_address is not null) as wallets,
         (select coalesce(json_agg(json_build_object('projectId', p.code, 'name', p.project_name) order by p.id), '[]')
            from projects p where p.owner_id = u.id) as projects,
         (select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'prefix', k.prefix,
            'projectId', p.code, 'isActive', k.is_active) order by k.created_at, k.id), '[]')
            from api_keys k left join projects p on p.id = k.project_id where k.user_id = u.id) as keys,
         coalesce((select h.day_calls from usage_heads h
            where h.user_id = u.id and h.day = (now() at time zone 'UTC')::date), 0)::float8 as "callsToday",
         (select h.quota::float8 from usage_heads h where h.user_id = u.id) as quota,
         (select coalesce(json_agg(json_build_object('at', a.at, 'action', a.action, 'actorId', a.actor_id,
            'keyId', a.key_id, 'fields', a.fields) order by a.at desc, a.id desc), '[]') from (
              select * from admin_actions where account_id = u.id order by at desc, id desc limit 20
            ) as a) as actions
       from users u left join disabled_accounts d on d.user_id = u.id
         left join account_deletions gone on gone.user_id = u.id
       where u.id = any($1) order by u.id`,
      [ids],
    );
  }

  async isDisabled(userId: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query('select from disabled_accounts where user_id = $1', [
      userId,
    ]);
    return rows.length > 0;
  }

  /** Returns whether the account was enabled before. */
  async disable(manager: EntityManager, userId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'insert into disabled_accounts (user_id) values ($1) on conflict do nothing returning user_id',
      [userId],
    );
    return rows.length > 0;
  }

  /** Returns whether the account was disabled before. */
  async enable(manager: EntityManager, userId: string): Promise<boolean> {
    const [, removed] = (await manager.query('delete from disabled_accounts where user_id = $1', [
      userId,
    ])) as [unknown, number];
    return removed > 0;
  }

  /** The ids of all keys of an account, also of revoked ones and of those deleted with their project. */
  async keysOf(manager: EntityManager, userId: string): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>(
      'select id from api_keys where user_id = $1 union select id from deleted_keys where user_id = $1',
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** The key of this id or with one of these keyed hashes; null if there is none. */
  async findKey(id: string | null, hashes: readonly Buffer[]): Promise<KeyToRevoke | null> {
    const [row] = await this.dataSource.query<KeyToRevoke[]>(
      'select id, name, user_id as "userId" from api_keys where id = $1 or key_hash = any($2)',
      [id, hashes],
    );
    return row ?? null;
  }

  /** Sets the calls per day: null for the portal's quota, 0 for none. Returns what it was before. */
  async setQuota(manager: EntityManager, userId: string, quota: number | null): Promise<number | null> {
    const [row] = await manager.query<{ quota: number | null }[]>(
      'select quota::float8 as quota from usage_heads where user_id = $1 for no key update',
      [userId],
    );
    await manager.query(
      `insert into usage_heads (user_id, seq, quota) values ($1, 0, $2)
       on conflict (user_id) do update set quota = excluded.quota`,
      [userId, quota],
    );
    return row?.quota ?? null;
  }

  /** The address of the account's password; null if it has none. */
  async passwordAddress(
    manager: EntityManager,
    userId: string,
  ): Promise<{ email: string; emailVerified: boolean } | null> {
    const [row] = await manager.query<{ email: string; emailVerified: boolean }[]>(
      'select email, email_verified as "emailVerified" from credentials where user_id = $1',
      [userId],
    );
    return row ?? null;
  }

  /** Stores an action in the transaction that it is part of. The database refuses to change it later. */
  async note(manager: EntityManager, given: ActionGiven): Promise<void> {
    const { id, actorId, accountId, action, keyId, fields } = given;
    await manager.query(
      `insert into admin_actions (id, actor_id, account_id, action, key_id, fields) values ($1, $2, $3, $4, $5, $6)`,
      [id, actorId, accountId, action, keyId ?? null, Object.keys(fields)],
    );
    for (const [field, values] of Object.entries(fields)) {
      if (values === null) continue;
      await manager.query(
        `insert into admin_action_values (action_id, user_id, field, before, after) values ($1, $2, $3, $4, $5)`,
        [id, accountId, field, values.before, values.after],
      );
    }
  }
}
