import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { PortalError } from '../http/portal.error.js';
import { AccountChanges } from '../identity/changes/account.changes.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { Project } from './project.entity.js';

const dayMs = 24 * 3_600_000;

interface Renaming {
  /** Locked, like its owner's account. */
  project: Project;
  name: string;
  nameKey: string;
  userAgent: string | undefined;
  at: Date;
}

/** The names of projects. Former ones are kept, so that people who use a project's app see that it was renamed. */
@Injectable()
export class ProjectNames {
  constructor(private readonly changes: AccountChanges) {}

  /**
   * Renames a project, and with it the keys that still have its name. Throws `project.nameTaken` if another project of
   * the owner has the name, and `project.renamedOften` after `limits.renamingsPerProject`: a former name must not get
   * lost among many.
   */
  async change(
    manager: EntityManager,
    { project: { id, ownerId, projectName: before }, name, nameKey, userAgent, at }: Renaming,
  ): Promise<void> {
    await this.requireFree(manager, { id, ownerId, nameKey });
    await manager.query('delete from project_names where project_id = $1 and ended_at <= $2', [
      id,
      new Date(at.getTime() - limits.formerNameDays * dayMs),
    ]);
    const former: unknown[] = await manager.query('select from project_names where project_id = $1', [id]);
    if (former.length >= limits.renamingsPerProject) throw new PortalError('project.renamedOften');
    await manager.query('insert into project_names (project_id, name, ended_at) values ($1, $2, $3)', [
      id,
      before,
      at,
    ]);
    await manager.update(Project, { id }, { projectName: name, nameKey });
    await manager.update(ApiKey, { projectId: id, name: before }, { name });
    const label = `${before} → ${name}`;
    await this.changes.note(manager, ownerId, { kind: 'projectRenamed', label, userAgent });
  }

  private async requireFree(
    manager: EntityManager,
    { id, ownerId, nameKey }: Pick<Project, 'id' | 'ownerId' | 'nameKey'>,
  ): Promise<void> {
    const isTaken = await manager.existsBy(Project, { ownerId, nameKey, service: IsNull(), id: Not(id) });
    if (isTaken) throw new PortalError('project.nameTaken');
  }
}
