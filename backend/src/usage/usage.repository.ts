import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ApiKey } from '../keys/api-key.entity.js';

const keysListed = 1_000;

export type KeyRow = Pick<ApiKey, 'id' | 'name' | 'keySealed' | 'secretVersion' | 'isActive'> & {
  /** The id of its project, which users see. */
  code: string | null;
};

@Injectable()
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The owner's keys that are live or were ever used, newest first. */
  async keys(userId: string): Promise<KeyRow[]> {
    return this.dataSource.query(
      `select k.id, k.name, k.key_sealed as "keySealed", k.secret_version as "secretVersion",
         k.is_active as "isActive", p.code
       from api_keys k left join projects p on p.id = k.project_id
       where k.user_id = $1
         and (k.is_active or exists (select from usage_keys u where u.user_id = $1 and u.api_key_id = k.id))
       order by k.created_at desc, k.id desc limit ${keysListed}`,
      [userId],
    );
  }

  /** Whether the owner has the key. */
  async hasKey(userId: string, keyId: string): Promise<boolean> {
    const found: unknown[] = await this.dataSource.query(
      'select from api_keys where id = $1 and user_id = $2',
      [keyId, userId],
    );
    return found.length > 0;
  }

  /** The ids of the keys of the owner's project, or `null` if the owner has no such project. */
  async keysOfProject(userId: string, code: string): Promise<string[] | null> {
    const projects: { ids: string[] }[] = await this.dataSource.query(
      `select array(select k.id from api_keys k where k.project_id = p.id) as ids
       from projects p where p.code = $1 and p.owner_id = $2`,
      [code, userId],
    );
    return projects[0]?.ids ?? null;
  }

  /**
   * The calls of the current UTC day that count against the owner's quota, by the database's clock, and the owner's own
   * quota: null for the portal's, 0 for none.
   */
  async today(userId: string): Promise<{ calls: number; own: number | null }> {
    const [head]: { calls: number; own: number | null }[] = await this.dataSource.query(
      `select case when day = (now() at time zone 'UTC')::date then day_calls else 0 end::float8 as calls,
         quota::float8 as own
       from usage_heads where user_id = $1`,
      [userId],
    );
    return head ?? { calls: 0, own: null };
  }
}
