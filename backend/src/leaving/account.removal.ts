import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { holdAccount, holdEmail, holdIdentity } from '../auth/account.locks.js';
import { JobLogger } from '../jobs/job.logger.js';
import { WakingLoop } from '../mail/waking.loop.js';
import { RemovalRepository } from './removal.repository.js';

const everyMs = 600_000;

/**
 * Removes the rows of accounts that were deleted a week ago. First what the owner signs in with, in one transaction, so
 * that nobody keeps an account that is half gone; then the rest, in small statements. What an interruption leaves
 * undone is done at the next turn. Every instance looks every ten minutes; a row that another removes first is no error.
 */
@Injectable()
export class AccountRemoval implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new WakingLoop(
    new JobLogger('Deleted accounts', 'account-removal'),
    'Removing deleted accounts',
    async () => {
      await this.removeDue();
      return everyMs;
    },
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: RemovalRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Removes the accounts that are due at `now`. */
  async removeDue(now = new Date()): Promise<void> {
    const failures: unknown[] = [];
    for (const userId of await this.rows.due(now)) {
      // One account that cannot be removed keeps no other from being removed.
      await this.remove(userId, now).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async remove(userId: string, now: Date): Promise<void> {
    const isDue = await this.dataSource.transaction(async (manager) => {
      const names = await this.rows.namesOf(manager, userId);
      for (const email of names.emails) await holdEmail(manager, email);
      for (const { provider, subject } of names.identities) await holdIdentity(manager, provider, subject);
      await holdAccount(manager, userId);
      // The owner may have kept the account in the meantime.
      if (!(await this.rows.holdDue(manager, userId, now))) return false;
      await this.rows.removeNames(manager, userId, names);
      return true;
    });
    if (!isDue) return;
    await this.rows.removeBrowsers(userId);
    await this.rows.removeMany(userId);
    await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      if (await this.rows.holdDue(manager, userId, now)) await this.rows.removeAccount(manager, userId);
    });
  }
}
