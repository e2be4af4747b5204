import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ArchiveState } from '@orange-id/contract/archive.schema';
import { limits } from '@orange-id/contract/limits';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DataSource } from 'typeorm';
import { holdActiveSession, type SignedIn } from '../auth/account.locks.js';
import { PortalError } from '../http/portal.error.js';
import { AccountNotices } from '../identity/mails/account.notices.js';
import { JobLogger } from '../jobs/job.logger.js';
import { WakingLoop } from '../mail/waking.loop.js';
import { ArchiveRepository } from './archive.repository.js';

const everyMs = 10_000;
const compress = promisify(gzip);

/**
 * Archives of an account's data as one JSON file, without secrets. Asking for one stores a row; an instance fills it in
 * the background and sends an email. It can be downloaded for 24 h, and another one can be asked for after an hour.
 */
@Injectable()
export class ArchiveService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new WakingLoop(
    new JobLogger('Data archives', 'archives'),
    'Preparing data archives',
    async () => {
      await this.archives.removeExpired(new Date());
      await this.prepareWaiting();
      return everyMs;
    },
  );

  constructor(
    private readonly archives: ArchiveRepository,
    private readonly dataSource: DataSource,
    private readonly notices: AccountNotices,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Asks for an archive; one of the last hour is returned again. Throws `auth.tokenInvalid`. */
  async ask(caller: SignedIn, now = new Date()): Promise<ArchiveState> {
    const userId = caller.user.id;
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    const isNew = await this.dataSource.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      const expiresAt = after(limits.archiveKeptSeconds);
      return this.archives.ask(manager, {
        userId,
        now,
        expiresAt,
        since: after(-limits.archiveEverySeconds),
      });
    });
    if (isNew) this.loop.wake();
    return this.state(userId, now);
  }

  async state(userId: string, now = new Date()): Promise<ArchiveState> {
    const row = await this.archives.find(userId, now);
    if (row === null) return { state: 'none', askedAt: null, expiresAt: null };
    return {
      state: row.isReady ? 'ready' : 'preparing',
      askedAt: row.askedAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    };
  }

  /** The archive, compressed with gzip. Throws `account.archiveMissing`. */
  async file(userId: string, now = new Date()): Promise<Buffer> {
    const content = await this.archives.content(userId, now);
    if (content === null) throw new PortalError('account.archiveMissing');
    return content;
  }

  private async prepareWaiting(): Promise<void> {
    const failures: unknown[] = [];
    for (const userId of await this.archives.waiting()) {
      // One archive that cannot be prepared keeps no other from being prepared.
      await this.prepare(userId).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async prepare(userId: string): Promise<void> {
    await this.archives.countAttempt(userId);
    const { profile, ...data } = await this.archives.read(userId);
    const [person] = profile;
    // The account is gone.
    if (person === undefined) return;
    const archive = { createdAt: new Date().toISOString(), profile: person, ...data };
    const content = await compress(JSON.stringify(archive, null, 2));
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.archives.holdWaiting(manager, userId))) return;
      await this.archives.store(manager, userId, content);
      await this.notices.archiveReady(manager, userId);
    });
  }
}
