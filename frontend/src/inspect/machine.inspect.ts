import type {
  AnyActorRef,
  AnyMachineSnapshot,
  AnyStateNode,
  AnyTransitionDefinition,
  InspectionEvent,
  StateValue,
} from 'xstate';

/**
 * One step of a machine: the event, the states before and after (nested ones joined by dots), and the transitions
 * taken, as named in the machine's plan.
 */
export interface MachineStep {
  event: string;
  from: string | null;
  to: string;
  taken: string[];
}

/** Every leaf state and every transition of a machine. */
export interface MachinePlan {
  states: string[];
  transitions: string[];
}

/** A machine that is running, or has run, on this page. */
export interface MachineRecord {
  /** The actor's id if it was given one, otherwise the machine's. */
  id: string;
  machine: string;
  actor: AnyActorRef;
  plan: MachinePlan;
  history: MachineStep[];
}

const keptRecords = 100;
const keptSteps = 1000;

/** Newest last. Stopped machines stay in the list, so that a test can read how one ended. */
export const machineRecords: MachineRecord[] = [];
const recordOf = new WeakMap<object, MachineRecord>();
const takenBy = new WeakMap<MachineRecord, string[]>();
const nameOf = new WeakMap<AnyTransitionDefinition, string>();
const watchers = new Set<(record: MachineRecord, step: MachineStep) => void>();

/** Calls `watcher` with every later step of every machine. */
export function watchMachines(watcher: (record: MachineRecord, step: MachineStep) => void): void {
  watchers.add(watcher);
}

/** A state value as text, such as `signedIn.current`; parallel regions are separated by commas. */
export function stateName(value: StateValue): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([parent, child = '']) => {
      const inner = stateName(child);
      return inner === '' ? parent : `${parent}.${inner}`;
    })
    .join(',');
}

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** Lists a machine's states and transitions and names each transition, such as `naming: name.submit #2`. */
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
    // Only machines have a root node; promise and callback actors don't.
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

/**
 * Spread it into the options of `useActorRef` so that `window.__portal` shows the machine in development and test
 * builds.
 */
export const inspected: { inspect?: (event: InspectionEvent) => void } = isInspecting
  ? { inspect: onInspection }
  : {};
