import { Injectable } from '@nestjs/common';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { DataSource, EntityManager } from 'typeorm';
import { PortalError } from '../http/portal.error.js';
import { ApiKeyFactory } from './api-key.factory.js';

/** Which keys of a user: saved ones (`projectId` null) or those of a project; with `id` only that one. */
interface KeysWanted {
  userId: string;
  projectId: string | null;
  id?: string;
}

/**
 * Last use and calls of the current UTC day come from the roll-ups and the rows after the watermark, in one statement
 * and hence one snapshot, whatever the number of keys. A replaced key is listed until its overlap ends.
 */
const readSql = `
with midnight as materialized (
  select date_trunc('day', now(), 'UTC') as at
), fresh as materialized (
  select u.api_key_id, max(u.timestamp) as last_at,
    coalesce(sum(u.calls) filter (where u.timestamp >= (select at from midnight)), 0) as today
  from api_usage u
  where u.user_id = $1 and u.seq > coalesce((select key_days_seq from usage_watermarks where user_id = $1), 0)
  group by 1
)
select key.id, key.name, key.key_sealed as "keySealed", key.secret_version as "secretVersion",
  key.created_at as "createdAt", key.expires_at as "expiresAt", key.rate_limit as "rateLimit",
  key.replaces_id as "replacesId", key.replaced_at as "replacedAt",
  greatest(fresh.last_at, newest.last_at) as "lastUsed",
  coalesce(fresh.today, 0) + coalesce(day.calls, 0) as "callsToday"
from api_keys key
  left join fresh on fresh.api_key_id = key.id
  left join lateral (
    select d.last_at from usage_keys k join usage_key_days d on d.key = k.id and d.user_id = k.user_id
    where k.user_id = key.user_id and k.api_key_id = key.id order by d.day desc limit 1
  ) newest on true
  left join lateral (
    select sum(d.calls) as calls from usage_keys k join usage_key_days d on d.key = k.id and d.user_id = k.user_id
    where k.user_id = key.user_id and k.api_key_id = key.id
      and d.day >= (now() at time zone 'UTC')::date - date '1970-01-01'
  ) day on true
where key.user_id = $1 and key.project_id is not distinct from $2 and ($3::uuid is null or key.id = $3)
  and key.is_active and (key.replaced_at is null or key.expires_at > now())
order by key.created_at desc, key.id desc`;

interface KeyRow {
  id: string;
  name: string;
  keySealed: Buffer;
  secretVersion: number;
  createdAt: Date;
  expiresAt: Date | null;
  rateLimit: number | null;
  replacesId: string | null;
  replacedAt: Date | null;
  lastUsed: Date | null;
  callsToday: string;
}

/** Reads keys in the form of the contract. */
@Injectable()
export class KeyReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeyFactory,
  ) {}

  /** The user's active keys, newest first, in full and with their use. */
  async read(
    { userId, projectId, id }: KeysWanted,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<SavedKey[]> {
    const rows: KeyRow[] = await manager.query(readSql, [userId, projectId, id ?? null]);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      key: this.apiKeys.reveal(row),
      createdAt: row.createdAt.toISOString(),
      lastUsed: row.lastUsed?.toISOString() ?? null,
      callsToday: Number(row.callsToday),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      rateLimit: row.rateLimit,
      replacesId: row.replacesId,
      replacedAt: row.replacedAt?.toISOString() ?? null,
    }));
  }

  /** One active key, as the caller's transaction sees it. Throws `keys.notFound`. */
  async readOne(wanted: KeysWanted & { id: string }, manager: EntityManager): Promise<SavedKey> {
    const [key] = await this.read(wanted, manager);
    if (key === undefined) throw new PortalError('keys.notFound');
    return key;
  }
}
