import { Injectable } from '@nestjs/common';
import type { ForumChange, ForumNews } from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { newId } from '../database/new.id.js';

type Listener = (change: ForumChange) => void;

/**
 * Notifies open pages of the community. Call `emit` after the transaction has committed. Users hear of changes by socket;
 * visitors, who have none, ask for the latest changes, which are kept in this process.
 */
@Injectable()
export class ForumChanges {
  private readonly listeners = new Set<Listener>();
  private readonly instance = newId();
  private readonly latest: ForumChange[] = [];
  /** Number of changes received; the last one is at the end of `latest`. */
  private count = 0;

  emit(change: ForumChange): void {
    this.receive(change);
    for (const listener of this.listeners) listener(change);
  }

  /** Receives a change that another instance has announced. */
  receive(change: ForumChange): void {
    this.count += 1;
    this.latest.push(change);
    if (this.latest.length > limits.forumNewsKept) this.latest.shift();
  }

  /** The changes after the cursor of an earlier response. */
  newsAfter(cursor: string | undefined): ForumNews {
    const news = { cursor: `${this.instance}_${this.count}`, changes: [] as ForumChange[], hasMissed: false };
    if (cursor === undefined) return news;
    const [instance, seen = ''] = cursor.split('_');
    const missed = /^\d+$/.test(seen) ? this.count - Number(seen) : -1;
    if (instance !== this.instance || missed < 0 || missed > this.latest.length) {
      return { ...news, hasMissed: true };
    }
    return { ...news, changes: missed === 0 ? [] : this.latest.slice(-missed) };
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
