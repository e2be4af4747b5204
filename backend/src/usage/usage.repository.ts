import { Injectable } from '@nestjs/common';
import type { UsageQuery } from '@orange-id/contract/usage.schema';
import { DataSource, EntityManager } from 'typeorm';
import type { ApiKey } from '../keys/api-key.entity.js';
import { usageColumns, UsageConditions, UsageRecord } from './usage.sql.js';

const keysListed = 1_000;

export type KeyRow = Pick<ApiKey, 'id' | 'name' | 'keySealed' | 'secretVersion' | 'isActive'> & {
  /** The id of its project, which users see. */
  code: string | null;
};

@Injectable()
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Rows before or after a sequence number, one more than `query.limit` if there are more. */
  async page(userId: string, query: UsageQuery): Promise<UsageRecord[]> {
    const where = new UsageConditions(userId).matchingInTime(query);
    if (query.after !== undefined) where.add('seq > ?', query.after);
    if (query.before !== undefined) where.add('seq < ?', query.before);
    return this.dataSource.query(
      `select ${usageColumns} from api_usage where ${where.sql}
       order by seq ${query.after === undefined ? 'desc' : 'asc'} limit ${query.limit + 1}`,
      where.values,
    );
  }

  /** Runs reads that need the same state of the watermark, the roll-ups and the rows after it. */
  inSnapshot<T>(read: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', read);
  }

  /** The owner's keys that are live or were ever used, newest first. */
  async keys(userId: string): Promise<KeyRow[]> {
    return this.dataSource.query(
      `select k.id, k.name, k.key_sealed as "keySealed", k.secret_version as "secretVersion",
         k.is_active as "isActive", p.code
       from api_keys k left join projects p on p.id = k.project_id
       where k.user_id = $1
         and (k.is_active or exists (select from usage_hours h where h.api_key_id = k.id))
       order by k.created_at desc, k.id desc limit ${keysListed}`,
      [userId],
    );
  }

  /** Whether the key is the owner's, or was: rows outlive deleted keys. */
  async hasKey(userId: string, keyId: string, manager?: EntityManager): Promise<boolean> {
    const found: unknown[] = await (manager ?? this.dataSource.manager).query(
      `select 1 from api_keys where id = $1 and user_id = $2
       union all (select 1 from api_usage where api_key_id = $1 and user_id = $2 limit 1)`,
      [keyId, userId],
    );
    return found.length > 0;
  }

  /** The ids of the keys of the owner's project, or `null` if the owner has no such project. */
  async keysOfProject(userId: string, code: string, manager?: EntityManager): Promise<string[] | null> {
    const projects: { ids: string[] }[] = await (manager ?? this.dataSource.manager).query(
      `select array(select k.id from api_keys k where k.project_id = p.id) as ids
       from projects p where p.code = $1 and p.owner_id = $2`,
      [code, userId],
    );
    return projects[0]?.ids ?? null;
  }

  /** The calls of the current UTC day that count against the owner's quota, by the database's clock. */
  async today(userId: string, manager: EntityManager): Promise<number> {
    const heads: { calls: string }[] = await manager.query(
      `select day_calls as calls from usage_heads where user_id = $1 and day = (now() at time zone 'UTC')::date`,
      [userId],
    );
    return Number(heads[0]?.calls ?? 0);
  }
}
