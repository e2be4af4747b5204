import { Injectable } from '@nestjs/common';
import type { ConnectedApp } from '@orange-id/contract/tenant.schema';
import type { TenantClaim } from '@orange-id/contract/tenant.claims';
import { DataSource, type EntityManager } from 'typeorm';
import { validate } from 'uuid';
import { holdAccount } from '../../auth/account.locks.js';
import { afterCommit } from '../../database/after.commit.js';
import { PortalError } from '../../http/portal.error.js';
import { ProjectChanges } from '../../realtime/project.changes.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { shownName } from '../tenants/tenant.rule.js';
import { type OwnedProject, TenantsRepository } from '../tenants/tenants.repository.js';

/** The apps that a person is connected to. An id that is not theirs is unknown: `auth.appNotFound`. */
@Injectable()
export class AppsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projectChanges: ProjectChanges,
    private readonly sessions: SessionsService,
    private readonly tenants: TenantsRepository,
  ) {}

  /** Last used first. */
  async list(userId: string, now = new Date()): Promise<ConnectedApp[]> {
    const rows = await this.tenants.connectionsOf(userId, now);
    return rows.map(({ name, previousName, code, connectedAt, lastUsedAt, ...app }) => ({
      ...app,
      projectId: code,
      name: shownName({ name, code }),
      previousName: previousName && shownName({ name: previousName, code }),
      connectedAt: connectedAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
    }));
  }

  /** Changes what an app sees: at its next call for the user, and in tokens from the next refresh. */
  async change(userId: string, id: string, claims: readonly TenantClaim[]): Promise<void> {
    const { manager } = this.dataSource;
    const project = validate(id) ? await this.tenants.grantOwn(manager, { id, userId, claims }) : null;
    if (project === null) throw new PortalError('auth.appNotFound');
    this.notify(manager, project);
  }

  /** Disconnects an app and ends its sessions. */
  async disconnect(userId: string, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      const project = validate(id) ? await this.tenants.disconnect(manager, { id, userId }) : null;
      if (project === null) throw new PortalError('auth.appNotFound');
      await this.sessions.endInApp(manager, userId, id);
      this.notify(manager, project);
    });
  }

  /** The project's owner no longer sees what was taken back, not even on an open page. */
  private notify(manager: EntityManager, { code, ownerId }: OwnedProject): void {
    afterCommit(manager, () => this.projectChanges.emitSoon(ownerId, { projectId: code, kind: 'consented' }));
  }
}
