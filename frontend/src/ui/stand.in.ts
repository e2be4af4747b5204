import { useEffectEvent, useLayoutEffect, type RefCallback } from 'react';

/**
 * Gives a Radix trigger an element that was drawn long before Radix was fetched and must not be drawn anew: the
 * trigger's child draws nothing, and hands on the ref it was given to that element.
 */
export function useStandIn(ref: RefCallback<HTMLElement> | undefined, element: HTMLElement): void {
  const hand = useEffectEvent((to: HTMLElement | null) => void ref?.(to));
  useLayoutEffect(() => {
    hand(element);
    return () => hand(null);
  }, [element]);
}
