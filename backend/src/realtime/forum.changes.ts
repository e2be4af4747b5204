import { Injectable } from '@nestjs/common';
import type { ForumChange } from '@orange-id/contract/forum.schema';

type Listener = (change: ForumChange) => void;

/** Notifies open pages of the community. Call `emit` after the transaction has committed. */
@Injectable()
export class ForumChanges {
  private readonly listeners = new Set<Listener>();

  emit(change: ForumChange): void {
    for (const listener of this.listeners) listener(change);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
