import { useSyncExternalStore } from 'react';

/** An element that shows a tooltip on hover or keyboard focus. */
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

/** Registers an element when it is first hovered or focused. */
export function setTooltipTarget(id: string, target: TooltipTarget): void {
  const known = targets.get(id);
  if (known?.element === target.element && known.text === target.text && known.side === target.side) return;
  change(new Map(targets).set(id, target));
}

/** Updates the text of a registered element. */
export function setTooltipText(id: string, text: string): void {
  const known = targets.get(id);
  if (known) setTooltipTarget(id, { ...known, text });
}

/** Removes an element that is gone or has no text any more. */
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

/** All registered elements, by id. */
export const useTooltipTargets = (): ReadonlyMap<string, TooltipTarget> =>
  useSyncExternalStore(
    subscribe,
    () => targets,
    () => none,
  );
