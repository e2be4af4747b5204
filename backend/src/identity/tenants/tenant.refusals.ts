import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { otherOrigins, storedOrigin } from '@orange-id/contract/origin.rule';
import type { RefusalKind } from '@orange-id/contract/project.users.schema';
import { isDatabaseDown, isShortage } from '../../http/error.filter.js';
import { ProjectChanges } from '../../realtime/project.changes.js';
import { type Refusal, TenantRefusalsRepository } from './tenant.refusals.repository.js';

/** How long refusals are gathered before they are stored. */
const flushEveryMs = 300;

/**
 * The origins that the owner of a project finds under 'Blocked origins'. Anybody can cause a refusal, as often as they
 * like and with any origin: refusals are gathered in bounded memory and stored by one statement at a time, and an owner
 * keeps a bounded number of them. Those that do not fit are counted together, or not at all.
 */
@Injectable()
export class TenantRefusals implements OnApplicationShutdown {
  private readonly logger = new Logger('Refusals');
  private waiting = new Map<string, Refusal>();
  /** The number of origins waiting, by project. */
  private origins = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly refusals: TenantRefusalsRepository,
    private readonly changes: ProjectChanges,
  ) {}

  /** Returns at once; the owner sees the refusal within a second. */
  note(projectId: string, origin: string, kind: RefusalKind): void {
    const stored = storedOrigin(origin);
    if (this.count(projectId, stored, kind)) return;
    const ofProject = this.origins.get(projectId) ?? 0;
    const isRoom = this.waiting.size < limits.refusalsWaiting;
    if (isRoom && ofProject < limits.refusedOriginsPerFlush) {
      this.origins.set(projectId, ofProject + 1);
      this.add({ projectId, origin: stored, kind, calls: 1 });
    } else if (!this.count(projectId, otherOrigins, kind) && isRoom) {
      this.add({ projectId, origin: otherOrigins, kind, calls: 1 });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flush();
  }

  private count(projectId: string, origin: string, kind: RefusalKind): boolean {
    const known = this.waiting.get(keyOf(projectId, origin, kind));
    if (known) known.calls += 1;
    return known !== undefined;
  }

  private add(refusal: Refusal): void {
    this.waiting.set(keyOf(refusal.projectId, refusal.origin, refusal.kind), refusal);
    this.timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }

  /** One write at a time: what is refused during a slow one waits for the next. */
  private flush(): Promise<void> {
    return (this.writing = this.writing.then(() => this.write()));
  }

  private async write(): Promise<void> {
    this.timer = undefined;
    const refusals = [...this.waiting.values()];
    this.waiting = new Map();
    this.origins = new Map();
    if (refusals.length === 0) return;
    try {
      for (const { code, ownerId } of await this.refusals.add(refusals)) {
        this.changes.emitSoon(ownerId, { projectId: code, kind: 'refused' });
      }
    } catch (error) {
      // These refusals are lost; a page that tries again causes another.
      if (!isDatabaseDown(error) && !isShortage(error)) this.logger.error(`storing failed: ${String(error)}`);
    }
  }
}

const keyOf = (projectId: string, origin: string, kind: RefusalKind): string =>
  `${projectId} ${kind} ${origin}`;
