import { Injectable } from '@nestjs/common';
import type { ProjectChange } from '@orange-id/contract/socket.events';

/** A change of one project: `projectId` is its public code. */
export interface ProjectChanged {
  projectId: string;
  kind: ProjectChange;
}

type Listener = (ownerId: string, change: ProjectChanged) => void;

/** Notifies the owner's open pages that a project changed. Call `emit` after the transaction has committed. */
@Injectable()
export class ProjectChanges {
  private readonly listeners = new Set<Listener>();

  emit(ownerId: string, change: ProjectChanged): void {
    for (const listener of this.listeners) listener(ownerId, change);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
