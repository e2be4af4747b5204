import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { WAITS } from '../config/waits.js';
import type { Waits } from '../config/waits.js';
import { ConcurrencyLimiter } from '../http/concurrency.limiter.js';

/**
 * The downloads of exports that run, limited per user and in total: each holds some rows in memory and takes usage
 * query slots for as long as its client takes to read the file.
 */
@Injectable()
export class ExportDownloads {
  private readonly perUser = new ConcurrencyLimiter(limits.exportDownloadsPerUser, 'usage.downloadsRunning');
  private readonly all = new ConcurrencyLimiter(limits.exportDownloads, 'usage.downloadsBusy');

  constructor(@Inject(WAITS) private readonly waits: Waits) {}

  /**
   * Counts a download until its client has received it or disconnected, and cuts it after `waits.exportMs`. Throws
   * `usage.downloadsRunning` or `usage.downloadsBusy`.
   */
  begin(userId: string, response: ServerResponse): void {
    const leaveUser = this.perUser.enter(userId);
    let leaveAll: () => void;
    try {
      leaveAll = this.all.enter('all');
    } catch (error) {
      leaveUser();
      throw error;
    }
    const deadline = setTimeout(() => response.destroy(), this.waits.exportMs).unref();
    // Also notifies if the client has already left.
    finished(response, () => {
      clearTimeout(deadline);
      leaveUser();
      leaveAll();
    });
  }

  /** Throws `usage.downloadsRunning` if another download of the user would be refused. */
  checkRoom(userId: string): void {
    this.perUser.enter(userId)();
  }
}
