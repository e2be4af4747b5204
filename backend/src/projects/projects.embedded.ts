import { Injectable } from '@nestjs/common';
import { projectCodePattern } from '@orange-id/contract/projects.schema';
import type {
  AddWhitelistUrls,
  CreatedProject,
  CreateProject,
  Project as WireProject,
  RemovedWhitelistUrl,
  RemoveWhitelistUrl,
  RenamedProject,
  WhitelistAnswer,
} from '@orange-id/contract/projects.schema';
import type { RotateKey, SavedKey } from '@orange-id/contract/keys.schema';
import { limits } from '@orange-id/contract/limits';
import { nameKey } from '@orange-id/contract/text.rule';
import { DataSource, EntityManager } from 'typeorm';
import { newId } from '../database/new.id.js';
import { PortalError } from '../http/portal.error.js';
import { holdActiveSession } from '../auth/account.locks.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { KeyChanges } from '../keys/key.changes.js';
import { KeyReader } from '../keys/key.reader.js';
import { KeyRotation } from '../keys/key.rotation.js';
import { ProjectChanges } from '../realtime/project.changes.js';
import { newProjectCode } from './project.code.js';
import type { Project } from './project.entity.js';
import { ProjectLimits } from './project.limits.js';
import {
  checkedOtherOrigins,
  checkedProjectName,
  checkedWhitelist,
  checkNoDuplicates,
  listedForm,
} from './project.rules.js';
import { ProjectNames } from './project.names.js';
import { type Caller, Projects } from './projects.port.js';
import { ProjectsRepository } from './projects.repository.js';

/** A key of a project, by the project's code. */
interface ProjectKey {
  code: string;
  id: string;
}

/**
 * The embedded project service: integration projects with their whitelist and their current key. After a rotation, the
 * previous key may still work too.
 */
@Injectable()
export class EmbeddedProjects extends Projects {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: ProjectsRepository,
    private readonly apiKeys: ApiKeyFactory,
    private readonly keyChanges: KeyChanges,
    private readonly keyReader: KeyReader,
    private readonly rotation: KeyRotation,
    private readonly projectChanges: ProjectChanges,
    private readonly projectLimits: ProjectLimits,
    private readonly names: ProjectNames,
  ) {
    super();
  }

  /**
   * Creates a project with its whitelist and key, all or nothing. Throws `project.nameInvalid`, `project.urlInvalid`,
   * `project.nameTaken` if the owner has a project of that name, compared without case, `project.limitReached` if the
   * owner has `limits.projectsPerUser`, and `request.rateLimited` after `limits.projectsMadePerHour`.
   */
  async create(caller: Caller, input: CreateProject): Promise<CreatedProject> {
    const ownerId = caller.user.id;
    const projectName = checkedProjectName(input.projectName);
    const urls = checkedWhitelist(input.whitelistURL, 'whitelistURL');
    this.projectLimits.making.take(ownerId);
    const project = {
      id: newId(),
      code: newProjectCode(),
      ownerId,
      projectName,
      nameKey: nameKey(projectName),
      source: input.source ?? null,
      service: null,
    };
    const { key, row } = this.apiKeys.make({ userId: ownerId, projectId: project.id, name: projectName });

    await this.dataSource.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      const count = await this.rows.count(manager, ownerId);
      if (count >= limits.projectsPerUser) throw new PortalError('project.limitReached');
      if (!(await this.rows.insertUnlessNameTaken(manager, project)))
        throw new PortalError('project.nameTaken');
      await this.rows.addUrls(manager, project.id, urls);
      await this.rows.addKey(manager, row);
      await this.keyChanges.record(manager, [row.id]);
    });
    this.projectChanges.emit(ownerId, { projectId: project.code, kind: 'created' });
    return { projectId: project.code, apiKey: key };
  }

  /** The owner's projects, newest first, each with its key and its URLs in the order they were added. */
  async list({ user: { id: ownerId } }: Caller): Promise<WireProject[]> {
    const rows = await this.rows.list(ownerId);
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
   * Renames the project; its code and key stay. Throws `project.notFound`, `project.nameInvalid`, `project.nameTaken` if
   * another project of the owner has the name, compared without case, `project.renamedOften`, and `request.rateLimited`
   * like an addition.
   */
  async rename(
    caller: Caller,
    { code, projectName, userAgent }: { code: string; projectName: string; userAgent: string | undefined },
    now = Date.now(),
  ): Promise<RenamedProject> {
    const name = checkedProjectName(projectName);
    this.projectLimits.changing.take(caller.user.id);
    await this.change({ caller, code }, 'updated', async (manager, project) => {
      if (name === project.projectName) return;
      const renaming = { project, name, nameKey: nameKey(name), userAgent, at: new Date(now) };
      await this.names.change(manager, renaming);
      await this.keyChanges.record(manager, await this.rows.liveKeys(manager, project.id));
    });
    return { projectName: name };
  }

  /**
   * Adds all of the URLs, or none, to the project that has both this code and this name. Throws `project.notFound`,
   * `project.urlsLimitReached`, `request.rateLimited` after `limits.projectsChangedPerHour`, and, with every URL that
   * it rejects, `project.urlInvalid` and `project.urlDuplicate`.
   */
  async addUrls(caller: Caller, input: AddWhitelistUrls): Promise<WhitelistAnswer> {
    const { code, projectName } = input;
    const added = checkedWhitelist(input.urls, 'urls');
    this.projectLimits.changing.take(caller.user.id);
    const urls = await this.change({ caller, code, projectName }, 'updated', async (manager, { id }) => {
      const existing = await this.rows.urls(manager, id);
      checkNoDuplicates(added, existing);
      if (existing.length + added.length > limits.whitelistUrlsPerProject) {
        throw new PortalError('project.urlsLimitReached');
      }
      await this.rows.addUrls(manager, id, added);
      await this.keyChanges.record(manager, await this.rows.liveKeys(manager, id));
      return [...existing, ...added];
    });
    return { success: true, urls };
  }

  /**
   * Removes a URL, in any spelling, from the whitelist of the project that has both this code and this name. Throws
   * `project.notFound`, `project.urlNotFound`, `project.lastUrl`, because without a URL no site could use the key, and
   * `request.rateLimited` like an addition.
   */
  async removeUrl(caller: Caller, input: RemoveWhitelistUrl): Promise<RemovedWhitelistUrl> {
    this.projectLimits.changing.take(caller.user.id);
    const { code, projectName } = input;
    const url = listedForm(input.url);
    await this.change({ caller, code, projectName }, 'updated', async (manager, { id }) => {
      const existing = await this.rows.urls(manager, id);
      if (!existing.includes(url)) throw new PortalError('project.urlNotFound');
      if (existing.length === 1) throw new PortalError('project.lastUrl');
      await this.rows.removeUrl(manager, id, url);
      await this.keyChanges.record(manager, await this.rows.liveKeys(manager, id));
    });
    return { success: true, deleted: 1 };
  }

  /**
   * Replaces the key of the owner's project of that name, compared without case; its usage stays with the project. Ends
   * every older key at once, also one that a rotation left working. Of several concurrent replacements the last key is
   * the live one. Throws `project.notFound` and `request.rateLimited` like an addition.
   */
  async generateKey(caller: Caller, projectName: string): Promise<string> {
    const userId = caller.user.id;
    this.projectLimits.changing.take(userId);
    return this.change({ caller, projectName }, 'keyRotated', async (manager, project) => {
      const projectId = project.id;
      const live = await this.rows.liveKeys(manager, projectId);
      const current = await this.rows.currentKey(manager, projectId);
      const { key, row } = this.apiKeys.make({
        userId,
        projectId,
        name: current?.name ?? project.projectName,
        ...(current === null ? {} : { replacesId: current.id, rateLimit: current.rateLimit }),
      });
      await this.rows.endKeys(manager, projectId);
      await this.rows.addKey(manager, row);
      await this.keyChanges.record(manager, [...live, row.id]);
      return key;
    });
  }

  /**
   * The project's current key and the one it replaced while both work, newest first. Throws `project.notFound`, also
   * for another owner's project.
   */
  async keys(ownerId: string, code: string): Promise<SavedKey[]> {
    const { id: projectId } = await this.ownProject(ownerId, code);
    return this.keyReader.read({ userId: ownerId, projectId });
  }

  /**
   * Replaces the project's key with a new one; the old one keeps working for `overlapDays`. Of concurrent rotations one
   * succeeds, the others throw `keys.replaced`. Throws `request.invalid` for an expiry in the past or a limit above the
   * portal's, `project.notFound`, `keys.notFound`, `keys.overlapping`, and
   * `request.rateLimited` like an addition.
   */
  async rotateKey(
    caller: Caller,
    { code, id }: ProjectKey,
    wanted: RotateKey,
    now = Date.now(),
  ): Promise<SavedKey> {
    const userId = caller.user.id;
    this.projectLimits.changing.take(userId);
    return this.change({ caller, code }, 'keyRotated', async (manager, { id: projectId }) => {
      const old = await this.rotation.holdCurrent(manager, { userId, id, projectId });
      return this.rotation.replace(manager, old, wanted, now);
    });
  }

  /**
   * Ends the old key of a rotation. Throws `project.notFound`, `keys.notFound`, `keys.projectNeedsKey` for the current
   * key, and `request.rateLimited` like an addition.
   */
  async endKey(caller: Caller, { code, id }: ProjectKey): Promise<void> {
    const userId = caller.user.id;
    this.projectLimits.changing.take(userId);
    await this.change({ caller, code }, 'updated', (manager, { id: projectId }) =>
      this.rotation.end(manager, { userId, id, projectId }),
    );
  }

  /** The project's other origins. Throws `project.notFound`, also for another owner's project. */
  async otherOrigins(ownerId: string, code: string): Promise<string[]> {
    return (await this.ownProject(ownerId, code)).otherOrigins;
  }

  /**
   * Replaces the project's other origins; calls follow within 1 s. Throws `project.originInvalid`, `project.notFound`, and
   * `request.rateLimited` like an addition.
   */
  async changeOtherOrigins(caller: Caller, code: string, inputs: readonly string[]): Promise<string[]> {
    const otherOrigins = checkedOtherOrigins(inputs);
    this.projectLimits.changing.take(caller.user.id);
    return this.change({ caller, code }, 'updated', async (manager, { id }) => {
      await this.rows.setOtherOrigins(manager, id, otherOrigins);
      await this.keyChanges.record(manager, await this.rows.liveKeys(manager, id));
      return otherOrigins;
    });
  }

  private async ownProject(ownerId: string, code: string): Promise<Project> {
    const project = projectCodePattern.test(code) ? await this.rows.find(ownerId, code) : null;
    if (project === null) throw new PortalError('project.notFound');
    return project;
  }

  /**
   * Runs `work` on the owner's locked project, updates its change time, and notifies the owner's pages after the
   * commit. Throws `project.notFound` if the owner has no project with all the given properties.
   */
  private async change<T>(
    wanted: { caller: Caller; projectName?: string; code?: string },
    kind: 'updated' | 'keyRotated',
    work: (manager: EntityManager, project: Project) => Promise<T>,
  ): Promise<T> {
    const { caller, projectName, code } = wanted;
    const ownerId = caller.user.id;
    if (code !== undefined && !projectCodePattern.test(code)) throw new PortalError('project.notFound');
    const { result, changed } = await this.dataSource.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      const project = hasNoNul(projectName ?? '')
        ? await this.rows.hold(manager, {
            ownerId,
            ...(projectName === undefined ? {} : { nameKey: nameKey(projectName) }),
            ...(code === undefined ? {} : { code }),
          })
        : null;
      if (project === null) throw new PortalError('project.notFound');
      // Before the work, which ends by taking the lock that key changes of all instances wait for.
      await this.rows.touch(manager, project.id);
      return { result: await work(manager, project), changed: project.code };
    });
    this.projectChanges.emit(ownerId, { projectId: changed, kind });
    return result;
  }

  /**
   * Deletes the owner's project with its whitelist; its keys are refused everywhere within 1 s. Its usage stays. Throws
   * `project.notFound`, also for another owner's project.
   */
  async delete(ownerId: string, code: string): Promise<void> {
    if (!projectCodePattern.test(code)) throw new PortalError('project.notFound');
    await this.dataSource.transaction(async (manager) => {
      const project = await this.rows.hold(manager, { ownerId, code });
      if (project === null) throw new PortalError('project.notFound');
      await this.keyChanges.record(manager, await this.rows.delete(manager, project));
    });
    this.projectChanges.emit(ownerId, { projectId: code, kind: 'deleted' });
  }
}

/** PostgreSQL refuses text with a null byte; no project has such a name. */
const hasNoNul = (text: string): boolean => !text.includes('\0');
