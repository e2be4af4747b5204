import { Injectable } from '@nestjs/common';
import type { ProjectChange } from '@orange-id/contract/socket.events';

/** A change of one project: `projectId` is its public code. */
export interface ProjectChanged {
  projectId: string;
  kind: ProjectChange;
}

type Listener = (ownerId: string, change: ProjectChanged) => void;

/** How long `emitSoon` waits for further changes of the same kind. */
const gatherMs = 200;

/** Notifies the owner's open pages that a project changed. Call `emit` after the transaction has committed. */
@Injectable()
export class ProjectChanges {
  private readonly listeners = new Set<Listener>();
  private readonly gathered = new Set<string>();

  emit(ownerId: string, change: ProjectChanged): void {
    for (const listener of this.listeners) listener(ownerId, change);
  }

  /** Emits a change that may happen many times a second, once for all of them. */
  emitSoon(ownerId: string, change: ProjectChanged): void {
    const key = `${change.kind} ${change.projectId}`;
    if (this.gathered.has(key)) return;
    this.gathered.add(key);
    setTimeout(() => {
      this.gathered.delete(key);
      this.emit(ownerId, change);
    }, gatherMs).unref();
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
