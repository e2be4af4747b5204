import { Injectable } from '@nestjs/common';
import { appearanceLimits, type Appearance } from '@orange-id/contract/appearance';
import type { AppearanceVersion } from '@orange-id/contract/appearance.schema';
import { DataSource, type EntityManager } from 'typeorm';
import { ownedProject } from '../projects/owned.project.sql.js';

type VersionRow = Omit<AppearanceVersion, 'savedAt'> & { savedAt: Date };

/** The SQL of appearances and of the pictures uploaded for them. */
@Injectable()
export class AppearanceRepository {
  constructor(private readonly dataSource: DataSource) {}

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  /** Locks the owner's project and returns its id; null if the owner has no such project. */
  async lockProject(manager: EntityManager, ownerId: string, code: string): Promise<string | null> {
    const [row] = await manager.query<{ id: string }[]>(`${ownedProject} for no key update`, [code, ownerId]);
    return row?.id ?? null;
  }

  async projectOf(ownerId: string, code: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ id: string }[]>(ownedProject, [code, ownerId]);
    return row?.id ?? null;
  }

  /** The saved versions, newest first. */
  async versions(projectId: string): Promise<VersionRow[]> {
    return this.dataSource.query<VersionRow[]>(
      `select version, a.value as appearance, preview, a.saved_at as "savedAt", u.display_name as "savedBy"
       from project_appearances a left join users u on u.id = a.saved_by
       where project_id = $1 order by version desc limit ${appearanceLimits.versionsKept}`,
      [projectId],
    );
  }

  /** The version in force; null if nothing was saved. */
  async current(projectId: string): Promise<{ version: number; appearance: Appearance } | null> {
    const [row] = await this.dataSource.query<{ version: number; appearance: Appearance }[]>(
      `select version, value as appearance from project_appearances
       where project_id = $1 order by version desc limit 1`,
      [projectId],
    );
    return row ?? null;
  }

  async currentVersion(manager: EntityManager, projectId: string): Promise<number> {
    const [row] = await manager.query<[{ version: number }]>(
      'select coalesce(max(version), 0) as version from project_appearances where project_id = $1',
      [projectId],
    );
    return row.version;
  }

  /** Adds a version, and deletes those that are no longer kept. */
  async add(
    manager: EntityManager,
    row: {
      projectId: string;
      version: number;
      appearance: Appearance;
      preview: string | null;
      savedBy: string;
    },
  ): Promise<void> {
    await manager.query(
      `insert into project_appearances (project_id, version, value, preview, saved_by)
       values ($1, $2, $3, $4, $5)`,
      [row.projectId, row.version, row.appearance, row.preview, row.savedBy],
    );
    await manager.query('delete from project_appearances where project_id = $1 and version <= $2', [
      row.projectId,
      row.version - appearanceLimits.versionsKept,
    ]);
  }

  /** The pictures of a project, and of all projects of its owner. */
  async countPictures(
    manager: EntityManager,
    projectId: string,
    ownerId: string,
  ): Promise<{ ofProject: number; ofOwner: number }> {
    const [row] = await manager.query<[{ ofProject: number; ofOwner: number }]>(
      `select count(*) filter (where project_id = $1)::int as "ofProject", count(*)::int as "ofOwner"
       from project_pictures where project_id in (select id from projects where owner_id = $2)`,
      [projectId, ownerId],
    );
    return row;
  }

  async addPicture(manager: EntityManager, name: string, projectId: string): Promise<void> {
    await manager.query('insert into project_pictures (name, project_id) values ($1, $2)', [name, projectId]);
  }

  /** Of these names, those of pictures that were uploaded for the project; they stay while the transaction runs. */
  async holdPictures(manager: EntityManager, projectId: string, names: readonly string[]): Promise<string[]> {
    const rows = await manager.query<{ name: string }[]>(
      'select name from project_pictures where project_id = $1 and name = any($2) for share',
      [projectId, names],
    );
    return rows.map(({ name }) => name);
  }

  /** The names of pictures older than a day that no kept version shows, or whose project is deleted. */
  async unusedPictures(manager: EntityManager, projectId: string | null): Promise<string[]> {
    const rows = await manager.query<{ name: string }[]>(
      `select name from project_pictures p
       where ($1::uuid is null or project_id = $1)
         and (project_id is null or (created_at < now() - interval '1 day' and not exists (
           select from project_appearances a
           where a.project_id = p.project_id and a.value::text like '%/pictures/' || p.name || '.webp%')))
       order by created_at limit 100 for update skip locked`,
      [projectId],
    );
    return rows.map(({ name }) => name);
  }

  async deletePicture(manager: EntityManager, name: string): Promise<void> {
    await manager.query('delete from project_pictures where name = $1', [name]);
  }
}
