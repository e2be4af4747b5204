import { Inject, Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { withStartLock } from '../database/migrate.js';
import { JobLogger } from '../jobs/job.logger.js';
import { dropOldUsage, ensureUsagePartitions } from './usage.partitions.js';

const everyMs = 3_600_000;
const lockWaitMs = 5_000;

/**
 * Maintains the monthly partitions of `api_usage`: creates coming months before a call needs them and drops those older
 * than `USAGE_RETENTION_MONTHS`, unless that is 0. Every instance checks once an hour, one at a time.
 */
@Injectable()
export class UsageRetention implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new JobLogger('Usage months', 'usage-months');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'USAGE_RETENTION_MONTHS'>,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.tend(), everyMs).unref();
    // The coming months were created at startup; dropping the old ones is not urgent.
    if (this.environment.USAGE_RETENTION_MONTHS > 0) this.tend();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private tend(): void {
    this.running = this.running.then(async () => {
      this.logger.begin();
      try {
        await withStartLock(this.address, () => this.tendOnce(), lockWaitMs);
      } catch (error) {
        this.logger.failed('creating or dropping months failed, trying again in an hour', error);
      }
    });
  }

  private async tendOnce(): Promise<void> {
    await ensureUsagePartitions(this.address);
    const { USAGE_RETENTION_MONTHS: months } = this.environment;
    if (months === 0) return;
    const dropped = await dropOldUsage(this.address, months);
    if (dropped.length > 0) this.logger.log(`dropped the rows of ${dropped.join(', ')}; their figures stay`);
  }
}
