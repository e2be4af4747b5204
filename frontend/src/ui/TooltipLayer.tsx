import { limits } from '@orange-id/contract/limits';
import * as Radix from '@radix-ui/react-tooltip';
import { useEffect, useEffectEvent, type RefCallback, type SyntheticEvent } from 'react';
import { useStandIn } from './stand.in';
import type { TooltipTarget } from './tooltip.store';

/** Draws the tooltip of whichever target is pointed at, after the delays in `limits`. */
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
  // In a landmark, where every text of a page belongs, and in front of a dialog that is open.
  const container = element.closest<HTMLElement>('dialog, [role=dialog], header, aside, main, footer');
  return (
    <Radix.Root>
      <Radix.Trigger asChild>
        <Target element={element} text={text} />
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content className="tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** What the trigger gives to its child. */
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
  useStandIn(given.ref, element);

  // Radix reads nothing of an event but what the browser's own has too.
  const tell = useEffectEvent((type: keyof typeof listened, event: Event) => {
    // The focus that a closing dialog gives back is nobody's wish to read a tooltip.
    if (type === 'focus' && !element.matches(':focus-visible')) return;
    given[listened[type]]?.(event as unknown as SyntheticEvent);
  });

  useEffect(() => {
    const end = new AbortController();
    for (const type of Object.keys(listened) as (keyof typeof listened)[]) {
      element.addEventListener(type, (event) => tell(type, event), { signal: end.signal });
    }
    // The pointer or the focus that had this fetched came before anybody listened.
    if (element.matches(':focus-visible')) tell('focus', new FocusEvent('focus'));
    else if (element.matches(':hover') && window.matchMedia('(hover: hover)').matches) {
      tell('pointermove', new PointerEvent('pointermove', { pointerType: 'mouse' }));
    }
    return () => end.abort();
  }, [element]);

  const describedBy = given['aria-describedby'];
  useEffect(() => {
    // Words that are its name already would only be read out twice.
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim();
    if (!describedBy || name === text) return;
    element.setAttribute('aria-describedby', describedBy);
    return () => element.removeAttribute('aria-describedby');
  }, [element, text, describedBy]);

  return null;
}
