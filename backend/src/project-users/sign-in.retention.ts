import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { DatabaseAddress } from '../config/database.address.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import { withStartLock } from '../database/migrate.js';
import { JobLogger } from '../jobs/job.logger.js';
import { firstKeptDay } from './project-users.range.js';
import { ProjectUsersRepository } from './project-users.repository.js';

const everyMs = 3_600_000;
const lockWaitMs = 5_000;
/** People per statement; a person has few sign-ins that are too old. */
const peoplePerStep = 500;

/**
 * Deletes sign-ins in the apps of projects that are older than `USAGE_RETENTION_MONTHS`, once a month and after a start,
 * in small statements. The first of each person, method, platform and region stays, so that every total stays right.
 */
@Injectable()
export class SignInRetention implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new JobLogger('Old sign-ins', 'old-sign-ins');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;
  private doneBefore: string | null = null;

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'USAGE_RETENTION_MONTHS'>,
    private readonly people: ProjectUsersRepository,
  ) {}

  onModuleInit(): void {
    if (this.environment.USAGE_RETENTION_MONTHS === 0) return;
    const tend = () => {
      this.running = this.running.then(() => this.tend());
    };
    this.timer = setInterval(tend, everyMs).unref();
    tend();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Never rejects: what failed is tried again in an hour. */
  async tend(now = Date.now()): Promise<void> {
    const before = firstKeptDay(this.environment.USAGE_RETENTION_MONTHS, now);
    if (before === null || before === this.doneBefore) return;
    this.logger.begin();
    try {
      await this.drop(before);
    } catch (error) {
      this.logger.failed('deleting old sign-ins failed, trying again in an hour', error);
    }
  }

  private async drop(before: string): Promise<void> {
    let dropped = 0;
    let after: string | null = null;
    while (!this.isStopping) {
      const ids: string[] = await this.people.connections(peoplePerStep, after);
      // The lock is taken for each step: an instance that starts waits for one step, not for the whole deletion.
      if (ids.length > 0) {
        const drop = () => this.people.dropSignIns(ids, before);
        dropped += await withStartLock(this.address, drop, lockWaitMs);
      }
      after = ids.at(-1) ?? null;
      if (ids.length < peoplePerStep) {
        this.doneBefore = before;
        if (dropped > 0) this.logger.log(`deleted ${dropped} sign-ins from before ${before}`);
        return;
      }
    }
  }
}
