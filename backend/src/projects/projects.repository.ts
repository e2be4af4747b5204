import { Injectable } from '@nestjs/common';
import { type DeepPartial, DataSource, type EntityManager, IsNull } from 'typeorm';
import { newId } from '../database/new.id.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { ProjectUrl } from './project-url.entity.js';
import { Project } from './project.entity.js';

interface ProjectRow {
  id: string;
  code: string;
  project_name: string;
  created_at: Date;
  last_updated_at: Date;
  key_id: string;
  key_sealed: Buffer;
  secret_version: number;
  urls: string[];
}

/** The SQL of embedded projects. A method with a `manager` runs in the caller's transaction. */
@Injectable()
export class ProjectsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The owner's projects, newest first, each with its current key. The URLs are returned as JSON: an owner can have
   * 20,000 of them, and the driver parses a PostgreSQL array character by character.
   */
  list(ownerId: string): Promise<ProjectRow[]> {
    return this.dataSource.query(
      `select project.id, project.code, project.project_name, project.created_at, project.last_updated_at,
              key.id as key_id, key.key_sealed, key.secret_version,
              (select coalesce(json_agg(url order by id), '[]') from project_urls
               where project_id = project.id) as urls
       from projects project
       join api_keys key on key.project_id = project.id and key.is_active and key.replaced_at is null
       where project.owner_id = $1 and project.service is null
       order by project.created_at desc, project.id desc`,
      [ownerId],
    );
  }

  find(ownerId: string, code: string): Promise<Project | null> {
    return this.dataSource.manager.findOneBy(Project, { code, ownerId, service: IsNull() });
  }

  /** Locks the owner's project that has all of these properties. */
  hold(
    manager: EntityManager,
    wanted: { ownerId: string; nameKey?: string; code?: string },
  ): Promise<Project | null> {
    return manager.findOne(Project, {
      where: { ...wanted, service: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  count(manager: EntityManager, ownerId: string): Promise<number> {
    return manager.countBy(Project, { ownerId, service: IsNull() });
  }

  /**
   * The database decides, not a prior read: of several concurrent inserts exactly one succeeds, the others wait and get
   * `false`.
   */
  async insertUnlessNameTaken(
    manager: EntityManager,
    project: Omit<Project, 'createdAt' | 'lastUpdatedAt' | 'otherOrigins'>,
  ): Promise<boolean> {
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(Project)
      .values(project)
      .orUpdate([], ['owner_id', 'name_key'], { indexPredicate: 'service is null' })
      .returning(['id'])
      .execute();
    return (raw as unknown[]).length === 1;
  }

  /** Updates the change time of a project. */
  async touch(manager: EntityManager, id: string): Promise<void> {
    await manager.query(
      `update projects set last_updated_at = greatest(clock_timestamp(), last_updated_at + interval '1 ms')
       where id = $1`,
      [id],
    );
  }

  async setOtherOrigins(manager: EntityManager, id: string, otherOrigins: string[]): Promise<void> {
    await manager.update(Project, { id }, { otherOrigins });
  }

  /** The project's URLs in the order they were added. */
  async urls(manager: EntityManager, projectId: string): Promise<string[]> {
    const rows = await manager.find(ProjectUrl, {
      select: { url: true },
      where: { projectId },
      order: { id: 'ASC' },
    });
    return rows.map(({ url }) => url);
  }

  async addUrls(manager: EntityManager, projectId: string, urls: readonly string[]): Promise<void> {
    await manager.insert(
      ProjectUrl,
      urls.map((url) => ({ id: newId(), projectId, url })),
    );
  }

  async removeUrl(manager: EntityManager, projectId: string, url: string): Promise<void> {
    await manager.delete(ProjectUrl, { projectId, url });
  }

  /** The ids of the project's keys that work: the current one and, after a rotation, the one before. */
  async liveKeys(manager: EntityManager, projectId: string): Promise<string[]> {
    const rows = await manager.find(ApiKey, { select: { id: true }, where: { projectId, isActive: true } });
    return rows.map(({ id }) => id);
  }

  currentKey(manager: EntityManager, projectId: string): Promise<ApiKey | null> {
    return manager.findOne(ApiKey, { where: { projectId, isActive: true, replacedAt: IsNull() } });
  }

  async addKey(manager: EntityManager, key: DeepPartial<ApiKey>): Promise<void> {
    await manager.insert(ApiKey, key);
  }

  async endKeys(manager: EntityManager, projectId: string): Promise<void> {
    await manager.update(ApiKey, { projectId, isActive: true }, { isActive: false });
  }

  /**
   * Deletes a project with its keys, and returns their ids. The owner still sees calls that use one of the keys, so
   * `deleted_keys` keeps their hashes.
   */
  async delete(manager: EntityManager, { id: projectId, code }: Project): Promise<string[]> {
    const keys = await manager.find(ApiKey, { select: { id: true }, where: { projectId } });
    await manager.query(
      `insert into deleted_keys (key_hash, id, user_id, project_code)
       select key_hash, id, user_id, $2 from api_keys where project_id = $1
       on conflict do nothing`,
      [projectId, code],
    );
    await manager.delete(Project, { id: projectId });
    return keys.map(({ id }) => id);
  }
}
