import { getNextTransitions, type AnyActorRef, type AnyMachineSnapshot, type EventObject } from 'xstate';
import {
  machineRecords,
  stateName,
  watchMachines,
  type MachinePlan,
  type MachineRecord,
  type MachineStep,
} from './machine.inspect';

/** What `window.__portal` reports about a machine. */
export interface MachineReport {
  id: string;
  machine: string;
  state: string;
  isActive: boolean;
}

/**
 * The registry in development and test builds. `id` is the id of an actor or of its machine; the newest active one
 * wins.
 */
export interface PortalRegistry {
  list(): MachineReport[];
  /** State, tags and context (as JSON); `null` for a machine that never ran. */
  snapshot(id: string): (MachineReport & { tags: string[]; context: unknown }) | null;
  /** The events that the machine accepts in its current state. */
  legal(id: string): string[];
  send(id: string, event: EventObject): void;
  history(id: string): MachineStep[];
  /** Resolves when the machine is in this state or one of its child states. */
  reached(id: string, state: string): Promise<void>;
}

declare global {
  interface Window {
    __portal?: PortalRegistry;
    /** Set by a test to receive every step; an actor's first step includes its machine's plan. */
    __portalStep?: (machine: string, step: MachineStep, plan: MachinePlan | null) => void;
  }
}

const snapshotOf = (record: MachineRecord) => record.actor.getSnapshot() as AnyMachineSnapshot;

const report = (record: MachineRecord): MachineReport => ({
  id: record.id,
  machine: record.machine,
  state: stateName(snapshotOf(record).value),
  isActive: isAlive(record.actor),
});

/** A stopped actor keeps its last snapshot, so the snapshot alone doesn't show that it stopped. */
const isAlive = (actor: AnyActorRef) =>
  (actor.getSnapshot() as AnyMachineSnapshot).status === 'active' &&
  (actor as unknown as { _processingStatus: number })._processingStatus === 1;

function find(id: string): MachineRecord | undefined {
  const named = machineRecords.filter((record) => record.id === id || record.machine === id);
  return named.findLast((record) => isAlive(record.actor)) ?? named.at(-1);
}

function canTake(snapshot: AnyMachineSnapshot, type: string): boolean {
  try {
    return snapshot.can({ type });
  } catch {
    // A guard that reads the event's payload throws without one, so the event may be accepted.
    return true;
  }
}

const isIn = (record: MachineRecord | undefined, state: string): boolean =>
  record !== undefined && `${report(record).state}.`.startsWith(`${state}.`);

/** Sets `window.__portal`. */
export function openRegistry(): void {
  const waiting = new Set<() => void>();
  window.__portal = {
    list: () => machineRecords.map(report),
    snapshot: (id) => {
      const record = find(id);
      if (!record) return null;
      const { context, tags } = snapshotOf(record);
      return { ...report(record), tags: [...tags], context: JSON.parse(JSON.stringify(context)) };
    },
    legal: (id) => {
      const record = find(id);
      if (!record) return [];
      const snapshot = snapshotOf(record);
      const types = new Set(getNextTransitions(snapshot).map(({ eventType }) => eventType));
      return [...types].filter(
        (type) => !type.startsWith('xstate.') && type !== '' && canTake(snapshot, type),
      );
    },
    send: (id, event) => {
      const record = find(id);
      if (!record)
        throw new Error(`No machine '${id}' runs here; running: ${machineRecords.map((r) => r.id)}`);
      record.actor.send(event);
    },
    history: (id) => find(id)?.history ?? [],
    reached: (id, state) =>
      new Promise((resolve) => {
        const check = () => {
          if (!isIn(find(id), state)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
  const tell = (record: MachineRecord, step: MachineStep) => {
    window.__portalStep?.(record.machine, step, step.from === null ? record.plan : null);
    for (const check of waiting) check();
  };
  for (const record of machineRecords) {
    for (const step of record.history) tell(record, step);
  }
  watchMachines(tell);
}
