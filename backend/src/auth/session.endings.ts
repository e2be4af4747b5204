import { Injectable } from '@nestjs/common';

export type SessionEnding = 'signedOut';
export type SessionEndingListener = (sessionId: string, reason: SessionEnding) => void;

/** Notifies the parts that hold connections open (sockets) that a session has ended in this process. */
@Injectable()
export class SessionEndings {
  private readonly listeners = new Set<SessionEndingListener>();

  emit(sessionId: string, reason: SessionEnding): void {
    for (const listener of this.listeners) listener(sessionId, reason);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: SessionEndingListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
