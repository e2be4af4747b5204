import { useEffect, useId, type ReactNode, type SyntheticEvent } from 'react';
import { onDemand } from './on.demand';
import {
  dropTooltipTarget,
  setTooltipTarget,
  setTooltipText,
  useTooltipTargets,
  type TooltipTarget,
} from './tooltip.store';
import './tooltip.css';

const layer = onDemand(async () => (await import('./TooltipLayer')).TooltipLayer);

interface TooltipProps {
  /** A few plain words; none, no tooltip. */
  text: string | null;
  side?: TooltipTarget['side'];
  /** One element, which can be pointed at and focused. */
  children: ReactNode;
}

/**
 * Words beside an element, after 700 ms, or at once when another tooltip went less than 300 ms ago; the
 * keyboard's focus shows them at once. What draws them is fetched when the first such element is pointed at.
 */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const id = useId();
  useEffect(() => {
    if (text === null) dropTooltipTarget(id);
    else setTooltipText(id, text);
  }, [id, text]);
  useEffect(() => () => dropTooltipTarget(id), [id]);

  const onReached = ({ currentTarget, target }: SyntheticEvent) => {
    const element = currentTarget.firstElementChild;
    if (text === null || !(element instanceof HTMLElement) || !element.contains(target as Node)) return;
    setTooltipTarget(id, { element, text, side });
  };
  return (
    <span
      className="tooltip-target"
      onPointerOver={(event) => event.pointerType !== 'touch' && onReached(event)}
      onFocus={onReached}
    >
      {children}
    </span>
  );
}

/** Where tooltips are drawn: once per page. */
export function Tooltips() {
  const targets = useTooltipTargets();
  useEffect(() => {
    // Without a network there are no tooltips; the next element that is pointed at tries again.
    if (targets.size > 0) void layer.fetch().catch(() => undefined);
  }, [targets]);
  return <layer.Part targets={targets} />;
}
