import { limits } from '@orange-id/contract/limits';
import * as Radix from '@radix-ui/react-tooltip';
import { useEffect, useEffectEvent, type RefCallback, type SyntheticEvent } from 'react';
import { useTriggerElement } from './trigger.element';
import type { TooltipTarget } from './tooltip.store';
import styles from './tooltip.module.css';

/** Renders the tooltip of the hovered or focused target, after the delays in `limits`. */
export function TooltipLayer({ targets }: { targets: ReadonlyMap<string, TooltipTarget> }) {
  return (
    <Radix.Provider delayDuration={limits.tooltipDelayMs} skipDelayDuration={limits.tooltipSkipDelayMs}>
      {[...targets].map(([id, target]) => (
        <TargetTooltip key={id} {...target} />
      ))}
    </Radix.Provider>
  );
}

function TargetTooltip({ element, text, side }: TooltipTarget) {
  // Renders inside the closest landmark, where axe requires all content to be, and inside an open dialog, which would
  // otherwise cover it.
  const container = element.closest<HTMLElement>('dialog, [role=dialog], header, aside, main, footer');
  return (
    <Radix.Root>
      <Radix.Trigger asChild>
        <Target element={element} text={text} />
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content className={styles.root} side={side} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The props that the Radix trigger passes to its child. */
interface Given {
  ref?: RefCallback<HTMLElement>;
  'aria-describedby'?: string;
  onPointerMove?: (event: SyntheticEvent) => void;
  onPointerLeave?: (event: SyntheticEvent) => void;
  onPointerDown?: (event: SyntheticEvent) => void;
  onFocus?: (event: SyntheticEvent) => void;
  onBlur?: (event: SyntheticEvent) => void;
  onClick?: (event: SyntheticEvent) => void;
}

const listened = {
  pointermove: 'onPointerMove',
  pointerleave: 'onPointerLeave',
  pointerdown: 'onPointerDown',
  focus: 'onFocus',
  blur: 'onBlur',
  click: 'onClick',
} as const;

function Target({ element, text, ...given }: { element: HTMLElement; text: string } & Given) {
  useTriggerElement(given.ref, element);

  // Radix reads only properties that native events have too.
  const tell = useEffectEvent((type: keyof typeof listened, event: Event) => {
    // The focus that a closing dialog restores must not open a tooltip.
    if (type === 'focus' && !element.matches(':focus-visible')) return;
    given[listened[type]]?.(event as unknown as SyntheticEvent);
  });

  useEffect(() => {
    const end = new AbortController();
    for (const type of Object.keys(listened) as (keyof typeof listened)[]) {
      element.addEventListener(type, (event) => tell(type, event), { signal: end.signal });
    }
    // The hover or focus that triggered the loading happened before these listeners existed.
    if (element.matches(':focus-visible')) tell('focus', new FocusEvent('focus'));
    else if (element.matches(':hover') && window.matchMedia('(hover: hover)').matches) {
      tell('pointermove', new PointerEvent('pointermove', { pointerType: 'mouse' }));
    }
    return () => end.abort();
  }, [element]);

  const describedBy = given['aria-describedby'];
  useEffect(() => {
    // A tooltip that equals the accessible name would be read out twice.
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim();
    if (!describedBy || name === text) return;
    element.setAttribute('aria-describedby', describedBy);
    return () => element.removeAttribute('aria-describedby');
  }, [element, text, describedBy]);

  return null;
}
