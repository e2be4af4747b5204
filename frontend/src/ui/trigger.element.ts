import { useEffectEvent, useLayoutEffect, type RefCallback } from 'react';

/**
 * Attaches a Radix trigger to an element that rendered before Radix loaded and must not render again. The trigger's
 * child renders nothing and passes its ref to that element.
 */
export function useTriggerElement(ref: RefCallback<HTMLElement> | undefined, element: HTMLElement): void {
  const hand = useEffectEvent((to: HTMLElement | null) => void ref?.(to));
  useLayoutEffect(() => {
    hand(element);
    return () => hand(null);
  }, [element]);
}
