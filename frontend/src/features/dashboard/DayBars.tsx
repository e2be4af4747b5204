import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { useMemo, useState, type PointerEvent } from 'react';
import { barsOf, summaryOf } from './day.bars';

/** The last 24 hours as bars, errors red at their feet; under the pointer each says what it holds. */
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
    <div className="dash-day">
      <div className="dash-day-head">
        <span>Last 24 hours</span>
        <span className="tabular">{isEmpty ? '' : (bar?.text ?? summary)}</span>
      </div>
      {metrics ? (
        <div
          className="dash-bars"
          role="img"
          aria-label={`Last 24 hours: ${summary}`}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setPointed(null)}
        >
          {isEmpty && <span className="dash-bars-empty">{summary}</span>}
          {bars.map(({ at, height, errorHeight }) => (
            <span key={at} className="dash-bar" data-pointed={at === pointed || undefined}>
              {height > 0 && <span className="dash-bar-calls" style={{ height: `${height * 100}%` }} />}
              {errorHeight > 0 && (
                <span className="dash-bar-errors" style={{ height: `${errorHeight * 100}%` }} />
              )}
            </span>
          ))}
        </div>
      ) : (
        <div className="dash-bars bone" role="status" aria-label="Loading" />
      )}
      <div className="dash-day-axis" aria-hidden>
        <span>24 h ago</span>
        <span>12 h ago</span>
        <span>now</span>
      </div>
    </div>
  );
}
