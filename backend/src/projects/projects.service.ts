import { Injectable } from '@nestjs/common';
import {
  CreatedProject,
  CreateProject,
  Project as WireProject,
  projectCodePattern,
} from '@orange-id/contract/projects.schema';
import { limits } from '@orange-id/contract/limits';
import { nameKey } from '@orange-id/contract/text.rule';
import { DataSource, EntityManager } from 'typeorm';
import { newId } from '../database/new.id.js';
import { PortalError } from '../http/portal.error.js';
import { holdAccount } from '../identity/account.lock.js';
import { AttemptLimiter } from '../identity/attempt.limiter.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { KeyChanges } from '../keys/key.changes.js';
import { ProjectChanges } from '../realtime/project.changes.js';
import { newProjectCode } from './project.code.js';
import { Project } from './project.entity.js';
import { checkedProjectName, checkedWhitelist } from './project.rules.js';
import { ProjectUrl } from './project-url.entity.js';

/** The embedded project service: integration projects with their whitelist and their one live key. */
@Injectable()
export class ProjectsService {
  private readonly making = new AttemptLimiter(
    limits.projectsMadePerHour,
    3_600_000,
    (seconds) =>
      `You made ${limits.projectsMadePerHour} projects within an hour, which is the most. Try again in ${seconds} s`,
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeyFactory,
    private readonly keyChanges: KeyChanges,
    private readonly projectChanges: ProjectChanges,
  ) {}

  /**
   * Makes a project with its whitelist and key, all or nothing. Throws `project.nameInvalid`, `project.urlInvalid`,
   * `project.nameTaken` when the owner has a project of that name, compared without case, `project.limitReached` when
   * the owner has `limits.projectsPerUser`, and `request.rateLimited` after `limits.projectsMadePerHour`.
   */
  async create(ownerId: string, input: CreateProject): Promise<CreatedProject> {
    const projectName = checkedProjectName(input.projectName);
    const urls = checkedWhitelist(input.whitelistURL);
    this.making.take(ownerId);
    const project = {
      id: newId(),
      code: newProjectCode(),
      ownerId,
      projectName,
      nameKey: nameKey(projectName),
      source: input.source ?? null,
    };
    const { key, row } = this.apiKeys.make({ userId: ownerId, projectId: project.id, name: projectName });

    await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, ownerId);
      const count = await manager.countBy(Project, { ownerId });
      if (count >= limits.projectsPerUser) throw new PortalError('project.limitReached');
      if (!(await insertUnlessNameTaken(manager, project))) throw new PortalError('project.nameTaken');
      await manager.insert(
        ProjectUrl,
        urls.map((url) => ({ id: newId(), projectId: project.id, url })),
      );
      await manager.insert(ApiKey, row);
      await this.keyChanges.record(manager, [row.id]);
    });
    this.projectChanges.emit(ownerId, { projectId: project.code, kind: 'created' });
    return { projectId: project.code, apiKey: key };
  }

  /** The owner's projects, newest first, each with its key and its URLs in the order they were given. */
  async list(ownerId: string): Promise<WireProject[]> {
    const rows: ProjectRow[] = await this.dataSource.query(
      `select project.id, project.code, project.project_name, project.created_at, project.last_updated_at,
              key.id as key_id, key.key_sealed, key.secret_version,
              array(select url from project_urls where project_id = project.id order by id) as urls
       from projects project
       join api_keys key on key.project_id = project.id and key.is_active
       where project.owner_id = $1
       order by project.created_at desc, project.id desc`,
      [ownerId],
    );
    return rows.map((row) => ({
      id: row.id,
      code: row.code,
      projectName: row.project_name,
      apiKey: this.apiKeys.reveal({
        id: row.key_id,
        keySealed: row.key_sealed,
        secretVersion: row.secret_version,
      }),
      urls: row.urls,
      createdAt: row.created_at.toISOString(),
      lastUpdatedAt: row.last_updated_at.toISOString(),
    }));
  }

  /**
   * Deletes the owner's project with its whitelist; its keys are refused everywhere within 1 s. Its usage stays.
   * Throws `project.notFound`, also for another owner's.
   */
  async delete(ownerId: string, code: string): Promise<void> {
    if (!projectCodePattern.test(code)) throw new PortalError('project.notFound');
    await this.dataSource.transaction(async (manager) => {
      const project = await manager.findOne(Project, {
        where: { code, ownerId },
        lock: { mode: 'pessimistic_write' },
      });
      if (project === null) throw new PortalError('project.notFound');
      const keys = await manager.find(ApiKey, { select: { id: true }, where: { projectId: project.id } });
      await manager.delete(Project, { id: project.id });
      await this.keyChanges.record(
        manager,
        keys.map(({ id }) => id),
      );
    });
    this.projectChanges.emit(ownerId, { projectId: code, kind: 'deleted' });
  }
}

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

/** The database decides, not a prior read: of many at once exactly one is inserted, the others wait and get `false`. */
async function insertUnlessNameTaken(
  manager: EntityManager,
  project: Omit<Project, 'createdAt' | 'lastUpdatedAt'>,
): Promise<boolean> {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(Project)
    .values(project)
    .orUpdate([], ['owner_id', 'name_key'])
    .returning(['id'])
    .execute();
  return (raw as unknown[]).length === 1;
}
