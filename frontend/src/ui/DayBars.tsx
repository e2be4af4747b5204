import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { useMemo, useState, type PointerEvent } from 'react';
import { CallLegend } from './CallLegend';
import { barsOf, summaryOf } from './day.bars';
import styles from './live-calls.module.css';

/**
 * The calls of the last 24 hours as bars, with failed and blocked calls at the bottom. Hovering a bar shows its counts.
 */
export function DayBars({ metrics }: { metrics: UsageMetrics | undefined }) {
  const [pointed, setPointed] = useState<string | null>(null);
  const bars = useMemo(() => (metrics ? barsOf(metrics) : []), [metrics]);
  const summary = metrics && summaryOf(metrics);
  const isEmpty = bars.every(({ height }) => height === 0);
  const bar = bars.find(({ at }) => at === pointed);

  const onPointerMove = ({ clientX, currentTarget, pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return;
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(bars[Math.floor(((clientX - left) / width) * bars.length)]?.at ?? null);
  };
  return (
    <div className={styles.dayBars}>
      <div className={styles.dayBarsLine}>
        <span>Last 24 hours</span>
        <span className="tabular">{isEmpty ? '' : (bar?.text ?? summary)}</span>
      </div>
      {metrics ? (
        <div
          className={styles.bars}
          role="img"
          aria-label={`Last 24 hours: ${summary}`}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setPointed(null)}
        >
          {isEmpty && <p className="note">{summary}</p>}
          {bars.map(({ at, height, parts }) => (
            <span key={at} className={styles.bar} data-pointed={at === pointed || undefined}>
              {height > 0 && <span className={styles.tone} style={{ height: `${height * 100}%` }} />}
              {parts.map((part) => (
                <span
                  key={part.tone}
                  className={styles.tone}
                  data-tone={part.tone}
                  style={{ height: `${part.height * 100}%` }}
                />
              ))}
            </span>
          ))}
        </div>
      ) : (
        <div className={`${styles.bars} skeleton`} role="status" aria-label="Loading" />
      )}
      <div className={styles.dayBarsLine} aria-hidden>
        <span>24 h ago</span>
        <span>12 h ago</span>
        <span>now</span>
      </div>
      <CallLegend />
    </div>
  );
}
