import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** The SQL of deleted accounts. */
@Injectable()
export class LeavingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks an account as deleted; a second time changes nothing. Returns when its rows go. */
  async add(manager: EntityManager, userId: string, dueAt: Date): Promise<Date> {
    const [row] = await manager.query<[{ dueAt: Date }]>(
      `insert into account_deletions (user_id, due_at) values ($1, $2)
       on conflict (user_id) do update set due_at = account_deletions.due_at
       returning due_at as "dueAt"`,
      [userId, dueAt],
    );
    return row.dueAt;
  }

  /** When the rows of a deleted account go; null for any other account. */
  async dueAt(userId: string): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ dueAt: Date }[]>(
      'select due_at as "dueAt" from account_deletions where user_id = $1',
      [userId],
    );
    return row?.dueAt ?? null;
  }

  /** Returns whether the account was deleted. */
  async remove(manager: EntityManager, userId: string): Promise<boolean> {
    const [, removed] = (await manager.query('delete from account_deletions where user_id = $1', [
      userId,
    ])) as [unknown, number];
    return removed > 0;
  }

  /** Exports and archives that were asked for. */
  async removeExports(manager: EntityManager, userId: string): Promise<void> {
    await manager.query('delete from usage_exports where user_id = $1', [userId]);
    await manager.query('delete from data_archives where user_id = $1', [userId]);
  }

  /** The projects that an account is connected to, with their owners. */
  async connectedTo(manager: EntityManager, userId: string): Promise<{ code: string; ownerId: string }[]> {
    return manager.query(
      `select p.code, p.owner_id as "ownerId" from tenant_connections c join projects p on p.id = c.project_id
       where c.user_id = $1 and c.disconnected_at is null`,
      [userId],
    );
  }

  /** The ids of all keys of an account, also of revoked keys and of those deleted with their project. */
  async keysOf(manager: EntityManager, userId: string): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>(
      'select id from api_keys where user_id = $1 union select id from deleted_keys where user_id = $1',
      [userId],
    );
    return rows.map(({ id }) => id);
  }
}
