import type {
  AnyActorRef,
  AnyMachineSnapshot,
  AnyStateNode,
  AnyTransitionDefinition,
  InspectionEvent,
} from 'xstate';

/**
 * One step of a machine: the event that came, the states before and after, nested ones joined by dots, and which of
 * the machine's transitions were taken on the way, as its plan names them.
 */
export interface MachineStep {
  event: string;
  from: string | null;
  to: string;
  taken: string[];
}

/** Every innermost state and every transition a machine has. */
export interface MachinePlan {
  states: string[];
  transitions: string[];
}

/** A machine that runs, or ran, on this page. */
export interface MachineRecord {
  /** The actor's own id where it was given one, otherwise the machine's. */
  id: string;
  machine: string;
  actor: AnyActorRef;
  plan: MachinePlan;
  history: MachineStep[];
}

const keptRecords = 100;
const keptSteps = 1000;

/** Newest last; stopped machines stay readable, so that a test can ask where one went. */
export const machineRecords: MachineRecord[] = [];
const recordOf = new WeakMap<object, MachineRecord>();
const takenBy = new WeakMap<MachineRecord, string[]>();
const nameOf = new WeakMap<AnyTransitionDefinition, string>();
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

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** Reads a machine's states and transitions and names each transition: `naming: name.submit #2`. */
function planOf(root: AnyStateNode): MachinePlan {
  const nodes = nodesOf(root);
  const transitions = nodes.flatMap((node) => {
    const state = node.path.join('.') || 'any state';
    const ofEvents = [...node.transitions.values(), node.always ?? []];
    return ofEvents.flatMap((candidates) =>
      candidates.map((transition, index) => {
        const place = candidates.length > 1 ? ` #${index + 1}` : '';
        const name = `${state}: ${transition.eventType || 'at once'}${place}`;
        nameOf.set(transition, name);
        return name;
      }),
    );
  });
  const inner = nodes.filter((node) => Object.keys(node.states).length === 0);
  return { states: inner.map((node) => node.path.join('.')), transitions };
}

function onInspection(event: InspectionEvent): void {
  const actor = event.actorRef as AnyActorRef & { logic?: { id?: string; root?: AnyStateNode } };
  if (event.type === '@xstate.actor') {
    // Only machines have states worth looking at; promise and callback actors have no root node.
    if (!actor.logic?.root || !actor.logic.id) return;
    const machine = actor.logic.id;
    const id = /^x:\d+$/.test(actor.id) ? machine : actor.id;
    const record: MachineRecord = { id, machine, actor, plan: planOf(actor.logic.root), history: [] };
    recordOf.set(actor, record);
    machineRecords.push(record);
    if (machineRecords.length > keptRecords) machineRecords.shift();
    return;
  }
  const record = recordOf.get(actor);
  if (!record) return;
  if (event.type === '@xstate.microstep') {
    const taken = event._transitions.flatMap((transition) => nameOf.get(transition) ?? []);
    takenBy.set(record, [...(takenBy.get(record) ?? []), ...taken]);
  }
  if (event.type === '@xstate.snapshot') {
    const to = stateName((event.snapshot as AnyMachineSnapshot).value);
    const taken = takenBy.get(record) ?? [];
    takenBy.delete(record);
    const step = { event: event.event.type, from: record.history.at(-1)?.to ?? null, to, taken };
    record.history.push(step);
    if (record.history.length > keptSteps) record.history.shift();
    for (const watcher of watchers) watcher(record, step);
  }
}

const isInspecting = typeof __PORTAL_INSPECT__ !== 'undefined' && __PORTAL_INSPECT__ === true;

/** Spread into the options of `useActorRef` so that the machine shows in `window.__portal` of development and test builds. */
export const inspected: { inspect?: (event: InspectionEvent) => void } = isInspecting
  ? { inspect: onInspection }
  : {};
