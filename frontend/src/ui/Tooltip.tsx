import { useEffect, useId, type ReactNode, type SyntheticEvent } from 'react';
import { onDemand } from './on.demand';
import {
  dropTooltipTarget,
  setTooltipTarget,
  setTooltipText,
  useTooltipTargets,
  type TooltipTarget,
} from './tooltip.store';
import styles from './tooltip.module.css';

const layer = onDemand(async () => (await import('./TooltipLayer')).TooltipLayer);

interface TooltipProps {
  /** A short text; `null` for no tooltip. */
  text: string | null;
  side?: TooltipTarget['side'];
  /** One element that can be hovered and focused. */
  children: ReactNode;
}

/**
 * A tooltip that opens after 700 ms; at once on keyboard focus, or if another one closed less than 300 ms ago. Its code
 * loads when the first element with a tooltip is hovered or focused.
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
      className={styles.target}
      onPointerOver={(event) => event.pointerType !== 'touch' && onReached(event)}
      onFocus={onReached}
    >
      {children}
    </span>
  );
}

/** Renders the tooltips; once per page. */
export function Tooltips() {
  const targets = useTooltipTargets();
  useEffect(() => {
    // Without a network there are no tooltips; hovering another element tries again.
    if (targets.size > 0) void layer.fetch().catch(() => undefined);
  }, [targets]);
  return <layer.Part targets={targets} />;
}
