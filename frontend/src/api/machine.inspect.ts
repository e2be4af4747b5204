import type { AnyActorRef, AnyMachineSnapshot, InspectionEvent } from 'xstate';

/** One step of a machine: the event that came and the states before and after, nested ones joined by dots. */
export interface MachineStep {
  event: string;
  from: string | null;
  to: string;
}

/** A machine that runs, or ran, on this page. */
export interface MachineRecord {
  /** The actor's own id where it was given one, otherwise the machine's. */
  id: string;
  machine: string;
  actor: AnyActorRef;
  history: MachineStep[];
}

const keptRecords = 100;
const keptSteps = 1000;

/** Newest last; stopped machines stay readable, so that a test can ask where one went. */
export const machineRecords: MachineRecord[] = [];
const recordOf = new WeakMap<object, MachineRecord>();
const watchers = new Set<(record: MachineRecord, step: MachineStep) => void>();

/** Calls back with every step of every machine from now on. */
export function watchMachines(watcher: (record: MachineRecord, step: MachineStep) => void): void {
  watchers.add(watcher);
}

/** A state value as one word: `signedIn.current`; parallel regions are separated by a comma. */
export function stateName(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([parent, child]) => {
      const inner = stateName(child);
      return inner === '' ? parent : `${parent}.${inner}`;
    })
    .join(',');
}

function onInspection(event: InspectionEvent): void {
  const actor = event.actorRef as AnyActorRef & { logic?: { id?: string; root?: unknown } };
  if (event.type === '@xstate.actor') {
    // Only machines have states worth looking at; promise and callback actors have no root node.
    if (!actor.logic?.root || !actor.logic.id) return;
    const machine = actor.logic.id;
    const record = { id: /^x:\d+$/.test(actor.id) ? machine : actor.id, machine, actor, history: [] };
    recordOf.set(actor, record);
    machineRecords.push(record);
    if (machineRecords.length > keptRecords) machineRecords.shift();
  }
  if (event.type === '@xstate.snapshot') {
    const record = recordOf.get(actor);
    if (!record) return;
    const to = stateName((event.snapshot as AnyMachineSnapshot).value);
    const step = { event: event.event.type, from: record.history.at(-1)?.to ?? null, to };
    record.history.push(step);
    if (record.history.length > keptSteps) record.history.shift();
    for (const watcher of watchers) watcher(record, step);
  }
}

export const isInspecting = typeof __PORTAL_INSPECT__ !== 'undefined' && __PORTAL_INSPECT__ === true;

/** Spread into the options of `useActorRef` so that the machine shows in `window.__portal` of development and test builds. */
export const inspected: { inspect?: (event: InspectionEvent) => void } = isInspecting
  ? { inspect: onInspection }
  : {};
