import { useSyncExternalStore } from 'react';

/** An element that shows a few words when it is pointed at or has the keyboard's focus. */
export interface TooltipTarget {
  element: HTMLElement;
  text: string;
  side: 'top' | 'right' | 'bottom' | 'left';
}

const none: ReadonlyMap<string, TooltipTarget> = new Map();
let targets = none;
const listeners = new Set<() => void>();

function change(next: ReadonlyMap<string, TooltipTarget>): void {
  targets = next;
  listeners.forEach((listener) => listener());
}

/** Remembers an element from the first time it is pointed at or focused. */
export function setTooltipTarget(id: string, target: TooltipTarget): void {
  const known = targets.get(id);
  if (known?.element === target.element && known.text === target.text && known.side === target.side) return;
  change(new Map(targets).set(id, target));
}

/** Changes what a remembered element says. */
export function setTooltipText(id: string, text: string): void {
  const known = targets.get(id);
  if (known) setTooltipTarget(id, { ...known, text });
}

/** Forgets an element that is gone, or has nothing to say any more. */
export function dropTooltipTarget(id: string): void {
  if (!targets.has(id)) return;
  const rest = new Map(targets);
  rest.delete(id);
  change(rest);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Every element that was pointed at or focused so far and is still there, by its id. */
export const useTooltipTargets = (): ReadonlyMap<string, TooltipTarget> =>
  useSyncExternalStore(
    subscribe,
    () => targets,
    () => none,
  );
