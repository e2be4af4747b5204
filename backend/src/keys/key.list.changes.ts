import { Injectable } from '@nestjs/common';

type Listener = (userId: string) => void;

/** Notifies a user's open pages that one of their keys changed. Call `emit` after the transaction has committed. */
@Injectable()
export class KeyListChanges {
  private readonly listeners = new Set<Listener>();

  emit(userId: string): void {
    for (const listener of this.listeners) listener(userId);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
