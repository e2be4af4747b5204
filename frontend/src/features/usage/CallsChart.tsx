import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Skeleton } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import { formatCount } from '../../ui/number.text';
import { bucketsOf } from './calls.buckets';
import { formatShortMoment } from './usage.format';
import type { FixedRange } from './usage.view';

const CallsPlot = lazy(async () => ({ default: (await import('./CallsPlot')).CallsPlot }));

interface CallsChartProps {
  metrics: UsageMetrics;
  /** The period before, to compare with; `null` draws no line. */
  previous: UsageMetrics | null;
  /** A bucket or some neighbours of it were chosen. */
  onPick: (range: FixedRange) => void;
}

/** Calls and errors over time, as a canvas for the eye and as a table for screen readers. */
export function CallsChart({ metrics, previous: compared, onPick }: CallsChartProps) {
  // A line along the bottom would say nothing.
  const previous = compared && compared.totals.calls > 0 ? compared : null;
  const buckets = useMemo(() => bucketsOf(metrics, previous), [metrics, previous]);
  return (
    <section className="usage-card" aria-labelledby="usage-chart-title">
      <div className="usage-card-head">
        <h2 id="usage-chart-title">Calls over time</h2>
        <ul className="usage-legend" aria-label="Legend">
          <li>
            <span className="usage-swatch" data-tone="neutral" aria-hidden /> Calls
          </li>
          <li>
            <span className="usage-swatch" data-tone="red" aria-hidden /> of which errors
          </li>
          {previous && (
            <li>
              <span className="usage-swatch usage-swatch-line" aria-hidden /> Calls in the period before
            </li>
          )}
        </ul>
        <span className="usage-card-note usage-drag-note">Click a bar or drag to see its calls</span>
      </div>
      <div className="usage-plot">
        <Suspense fallback={<Skeleton.Node active className="usage-plot-skeleton" />}>
          <CallsPlot buckets={buckets} bucketSeconds={metrics.bucketSeconds} onPick={onPick} />
        </Suspense>
      </div>
      {/* A table is never lower than its rows: hidden by itself, it would make the page longer. */}
      <div className="visually-hidden">
        <table>
          <caption>Calls over time</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Calls</th>
              <th scope="col">Errors</th>
              {previous && <th scope="col">Calls in the period before</th>}
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ at, calls, errors, before }) => (
              <tr key={at}>
                <th scope="row">{formatShortMoment(at * 1000)}</th>
                <td>{formatCount(calls)}</td>
                <td>{formatCount(errors)}</td>
                {previous && <td>{before === null ? '' : formatCount(before)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
