import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { DataSource, type EntityManager } from 'typeorm';
import { places } from '../usage/usage.places.js';

export interface ArchiveRow {
  askedAt: Date;
  expiresAt: Date;
  isReady: boolean;
}

/** The data of an account by its part of the archive; each statement takes the account's id. */
const parts = {
  profile: `select id, email, email_verified as "emailVerified", pending_email as "pendingEmail",
      first_name as "firstName", last_name as "lastName",
      display_name as "displayName", user_name as "userName", bio, country, profile_image_url as "profileImageUrl",
      eth_address as "ethAddress", wax_address as "waxAddress", created_at as "createdAt", updated_at as "updatedAt"
    from users where id = $1`,
  signInMethods: `select 'email' as provider, email as label, email_verified as "isVerified", created_at as "addedAt"
      from credentials where user_id = $1
    union all select provider, case provider when 'wallet' then subject else email end, true, created_at
      from linked_identities where user_id = $1 order by 4`,
  sessions: `select provider, user_agent as "userAgent", created_at as "signedInAt", last_used_at as "lastUsedAt"
    from refresh_tokens where user_id = $1 and connection_id is null and revoked_at is null and expires_at > now()
    order by 3`,
  accountChanges: `select kind, provider, label, user_agent as "userAgent", at from account_changes
    where user_id = $1 order by at`,
  projects: `select p.code as "projectId", p.project_name as name, p.created_at as "createdAt",
      array(select url from project_urls where project_id = p.id order by id) as urls
    from projects p where p.owner_id = $1 order by p.created_at`,
  keys: `select k.id, k.name, k.prefix, p.code as "projectId", k.is_active as "isActive", k.created_at as "createdAt",
      k.expires_at as "expiresAt", k.rate_limit as "rateLimit"
    from api_keys k left join projects p on p.id = k.project_id where k.user_id = $1 order by k.created_at`,
  usageByDay: `select day::text as day, sum(calls)::float8 as calls,
      coalesce(sum(calls) filter (where status_code >= 400), 0)::float8 as errors
    from (
      select date '1970-01-01' + d.day as day, k.status_code, l.calls
      from usage_key_days d cross join unnest(d.places, d.counts) as l (place, calls)
        join usage_kinds k on k.id = l.place - ${places.kind}
      where d.user_id = $1 and l.place >= ${places.kind}
      union all
      select (timestamp at time zone 'UTC')::date, status_code, calls from api_usage
      where user_id = $1 and seq > coalesce((select key_days_seq from usage_watermarks where user_id = $1), 0)
    ) as known group by 1 order by 1`,
  connectedApps: `select p.code as "projectId", p.project_name as name, c.id as "yourId", c.claims,
      c.created_at as "connectedAt", c.last_used_at as "lastUsedAt"
    from tenant_connections c join projects p on p.id = c.project_id
    where c.user_id = $1 and c.disconnected_at is null order by c.created_at`,
} satisfies Record<string, string>;

/** How many posts or replies are read at a time. */
const pieceRows = 50;

/** What users write, newest first, from before an id. */
const texts = {
  posts: `select id, title, content, category, is_resolved as "isResolved", created_at as "createdAt",
      updated_at as "updatedAt"
    from forum_posts where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit ${pieceRows}`,
  replies: `select id, post_id as "postId", content, created_at as "createdAt" from forum_replies
    where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit ${pieceRows}`,
} satisfies Record<string, string>;

export type ArchiveData = Record<keyof typeof parts | keyof typeof texts, object[]>;

/** The SQL of data archives. */
@Injectable()
export class ArchiveRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The archive that has not expired at `now`. */
  async find(userId: string, now: Date): Promise<ArchiveRow | null> {
    const [row] = await this.dataSource.query<ArchiveRow[]>(
      `select asked_at as "askedAt", expires_at as "expiresAt", content is not null as "isReady"
       from data_archives where user_id = $1 and expires_at > $2`,
      [userId, now],
    );
    return row ?? null;
  }

  /** Asks for an archive; one that was asked for after `since` stays. Returns whether it is a new one. */
  async ask(
    manager: EntityManager,
    given: { userId: string; now: Date; expiresAt: Date; since: Date },
  ): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `insert into data_archives as a (user_id, asked_at, expires_at) values ($1, $2, $3)
       on conflict (user_id) do update set
         asked_at = excluded.asked_at, expires_at = excluded.expires_at, content = null, attempts = 0
       where a.asked_at <= $4 or a.expires_at <= $2
       returning user_id`,
      [given.userId, given.now, given.expiresAt, given.since],
    );
    return rows.length > 0;
  }

  /** The accounts that wait for their archive, in turn. */
  async waiting(): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `select user_id as id from data_archives where content is null and attempts < $1
       order by asked_at limit 100`,
      [limits.archiveAttempts],
    );
    return rows.map(({ id }) => id);
  }

  /** Counts a preparation before it begins. */
  async countAttempt(userId: string): Promise<void> {
    await this.dataSource.query('update data_archives set attempts = attempts + 1 where user_id = $1', [
      userId,
    ]);
  }

  /** Locks the account's archive if it still waits and no other instance prepares it. */
  async holdWaiting(manager: EntityManager, userId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'select from data_archives where user_id = $1 and content is null for update skip locked',
      [userId],
    );
    return rows.length > 0;
  }

  /** Everything about the account, from one moment. */
  async read(userId: string): Promise<ArchiveData> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const data: Record<string, object[]> = {};
      for (const [part, statement] of Object.entries(parts)) {
        data[part] = await manager.query<object[]>(statement, [userId]);
      }
      for (const [part, statement] of Object.entries(texts)) {
        data[part] = await newestTexts(manager, statement, userId);
      }
      return data as ArchiveData;
    });
  }

  async store(manager: EntityManager, userId: string, content: Buffer): Promise<void> {
    await manager.query('update data_archives set content = $2 where user_id = $1', [userId, content]);
  }

  async content(userId: string, now: Date): Promise<Buffer | null> {
    const [row] = await this.dataSource.query<{ content: Buffer | null }[]>(
      'select content from data_archives where user_id = $1 and expires_at > $2',
      [userId, now],
    );
    return row?.content ?? null;
  }

  async removeExpired(now: Date): Promise<void> {
    await this.dataSource.query('delete from data_archives where expires_at <= $1', [now]);
  }
}

/** At most `limits.archivedPosts` rows of a statement of `texts`, and about `limits.archivedTextBytes`. */
async function newestTexts(manager: EntityManager, statement: string, userId: string): Promise<object[]> {
  const rows: { id: string; content: string }[] = [];
  let bytes = 0;
  for (;;) {
    const piece = await manager.query<typeof rows>(statement, [userId, rows.at(-1)?.id ?? null]);
    rows.push(...piece);
    bytes += piece.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    const isFull = bytes >= limits.archivedTextBytes || rows.length >= limits.archivedPosts;
    if (isFull || piece.length < pieceRows) return rows;
  }
}
