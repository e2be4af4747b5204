import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { lazy, Suspense, useMemo } from 'react';
import { formatCount } from '../../ui/number.text';
import { bucketsOf } from './calls.buckets';
import { ChartHead } from './ChartHead';
import { formatShortMoment } from './usage.format';
import type { FixedRange } from './usage.view';
import styles from './usage.module.css';

const CallsPlot = lazy(async () => ({ default: (await import('./CallsPlot')).CallsPlot }));

interface CallsChartProps {
  metrics: UsageMetrics;
  /** The previous period to compare with; `null` draws no line. */
  previous: UsageMetrics | null;
  /** Whether the chart ends now. */
  endsNow: boolean;
  /** Called when the user chooses one bucket or several adjacent ones. */
  onPick: (range: FixedRange) => void;
}

/** Calls over time by outcome, as a canvas and, for screen readers, as a table. */
export function CallsChart({ metrics, previous: compared, endsNow, onPick }: CallsChartProps) {
  // For a previous period without calls, the line would run along the bottom and mean nothing.
  const previous = compared && compared.totals.calls > 0 ? compared : null;
  const buckets = useMemo(() => bucketsOf(metrics, previous), [metrics, previous]);
  return (
    <section className="light-card" aria-labelledby="usage-chart-title">
      <ChartHead>
        {previous && (
          <li>
            <span className={styles.swatchLine} aria-hidden /> Previous period
          </li>
        )}
      </ChartHead>
      <Suspense fallback={<div className={`skeleton ${styles.plot}`} />}>
        <CallsPlot
          buckets={buckets}
          bucketSeconds={metrics.bucketSeconds}
          endsNow={endsNow}
          onPick={onPick}
        />
      </Suspense>
      {/* Wrapped, because a table is never shorter than its rows: hidden directly, it would make the page longer. */}
      <div className="visually-hidden">
        <table>
          <caption>Calls over time</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Calls</th>
              <th scope="col">4xx errors</th>
              <th scope="col">5xx errors</th>
              <th scope="col">Blocked</th>
              {previous && <th scope="col">Calls in the previous period</th>}
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ at, calls, errors, serverErrors, blocked, before }) => (
              <tr key={at}>
                <th scope="row">{formatShortMoment(at * 1000)}</th>
                <td>{formatCount(calls)}</td>
                <td>{formatCount(errors - serverErrors)}</td>
                <td>{formatCount(serverErrors)}</td>
                <td>{formatCount(blocked)}</td>
                {previous && <td>{before === null ? '' : formatCount(before)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
