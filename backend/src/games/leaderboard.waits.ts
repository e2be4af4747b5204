import { Injectable } from '@nestjs/common';
import type { Leaderboard } from '@orange-id/contract/games.schema';
import { limits } from '@orange-id/contract/limits';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { DrainState } from '../http/drain.state.js';
import { PortalError } from '../http/portal.error.js';
import { ProjectChanges } from '../realtime/project.changes.js';

type Scores = Leaderboard['scores'];

/** What a call waits for. */
interface Wanted {
  /** The owner of the key and the caller's network address: the calls of each are counted together. */
  ownerId: string;
  address: string;
  projectCode: string;
  /** Names the leaderboard of one period. */
  board: string;
  read: () => Promise<Scores>;
  /** Whether these scores end the wait. */
  isOver: (scores: Scores) => boolean;
  /** Whose end also ends the wait. */
  response: ServerResponse;
}

interface Wait {
  look: (scores: Scores) => void;
  end: (error?: unknown) => void;
}

/** A leaderboard that calls wait for: it is read once for all of them. */
interface Watch {
  projectCode: string;
  waits: Set<Wait>;
  /** Reads soon. */
  wake: () => void;
}

const retryAfterSeconds = 5;
/** Between two reads of a leaderboard. */
const readGapMs = 1_000;

/**
 * Lets calls wait until a leaderboard changes. However many wait, a leaderboard is read at most once a second: after a
 * play on this instance, and every ten seconds for plays on others, shared names and a new day.
 */
@Injectable()
export class LeaderboardWaits {
  private readonly watches = new Map<string, Watch>();
  /** Of each owner and of each address. */
  private readonly counts = new Map<string, number>();
  private waiting = 0;

  constructor(
    changes: ProjectChanges,
    private readonly drain: DrainState,
  ) {
    changes.subscribe((_, { projectId, kind }) => {
      if (kind !== 'played') return;
      for (const watch of this.watches.values()) if (watch.projectCode === projectId) watch.wake();
    });
    drain.onBegin(() => {
      for (const { waits } of this.watches.values()) for (const { end } of waits) end();
    });
  }

  /** How many calls wait. */
  get size(): number {
    return this.waiting;
  }

  /**
   * Resolves when `isOver` says so, after 25 seconds, when the caller has left, or when this instance stops. Throws
   * `request.rateLimited` if too many calls wait, and what `read` throws.
   */
  async until(wanted: Wanted): Promise<void> {
    const [owner, address] = [`owner ${wanted.ownerId}`, `address ${wanted.address}`];
    if (
      this.waiting >= limits.leaderboardWaits ||
      this.countOf(owner) >= limits.leaderboardWaitsPerOwner ||
      this.countOf(address) >= limits.leaderboardWaitsPerAddress
    ) {
      throw new PortalError('request.rateLimited', {
        message: `Too many calls wait for a leaderboard to change. Retry in ${retryAfterSeconds} s.`,
        retryAfterSeconds,
      });
    }
    if (this.drain.isDraining || wanted.response.closed) return;
    this.waiting++;
    for (const key of [owner, address]) this.counts.set(key, this.countOf(key) + 1);
    try {
      await this.wait(wanted);
    } finally {
      this.waiting--;
      for (const key of [owner, address]) {
        if (this.countOf(key) > 1) this.counts.set(key, this.countOf(key) - 1);
        else this.counts.delete(key);
      }
    }
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private wait(wanted: Wanted): Promise<void> {
    const { isOver, response } = wanted;
    return new Promise((resolve, reject) => {
      const watch = this.watches.get(wanted.board) ?? this.watch(wanted);
      const leave = () => wait.end();
      const patience = setTimeout(leave, limits.leaderboardWaitSeconds * 1000);
      const wait: Wait = {
        look: (scores) => {
          if (isOver(scores)) wait.end();
        },
        end: (error) => {
          clearTimeout(patience);
          response.off('close', leave);
          watch.waits.delete(wait);
          if (error === undefined) resolve();
          else reject(error as Error);
        },
      };
      watch.waits.add(wait);
      response.once('close', leave);
      // It may have changed since the caller's own look.
      watch.wake();
    });
  }

  private watch({ board, projectCode, read }: Wanted): Watch {
    const watch: Watch = { projectCode, waits: new Set(), wake: () => undefined };
    this.watches.set(board, watch);
    void this.follow(board, watch, read);
    return watch;
  }

  /** Reads a leaderboard for as long as calls wait for it. */
  private async follow(board: string, watch: Watch, read: Wanted['read']): Promise<void> {
    let isChanged = false;
    let sleep = new AbortController();
    watch.wake = () => {
      isChanged = true;
      sleep.abort();
    };
    try {
      do {
        if (!isChanged) {
          const options = { signal: sleep.signal, ref: false };
          await delay(limits.leaderboardReadSeconds * 1000, undefined, options).catch(() => undefined);
        }
        isChanged = false;
        sleep = new AbortController();
        const scores = await read();
        for (const { look } of watch.waits) look(scores);
        if (watch.waits.size > 0) await delay(readGapMs, undefined, { ref: false });
      } while (watch.waits.size > 0);
    } catch (error) {
      for (const { end } of watch.waits) end(error);
    } finally {
      this.watches.delete(board);
    }
  }
}
