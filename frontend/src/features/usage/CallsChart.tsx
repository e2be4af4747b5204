import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Skeleton } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import type { Bucket } from './CallsPlot';
import { formatCount, formatShortMoment } from './usage.format';
import type { FixedRange } from './usage.view';

const CallsPlot = lazy(async () => ({ default: (await import('./CallsPlot')).CallsPlot }));

interface CallsChartProps {
  metrics: UsageMetrics;
  onZoom: (range: FixedRange) => void;
}

/** Calls and errors over time, as a canvas for the eye and as a table for screen readers. */
export function CallsChart({ metrics, onZoom }: CallsChartProps) {
  const { bucketSeconds, series } = metrics;
  const buckets = useMemo(
    () => series.map<Bucket>(({ at, calls, errors }) => ({ at: Date.parse(at) / 1000, calls, errors })),
    [series],
  );
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
        </ul>
        <span className="usage-card-note usage-drag-note">Drag to zoom</span>
      </div>
      <div className="usage-plot" aria-hidden>
        <Suspense fallback={<Skeleton.Node active className="usage-plot-skeleton" />}>
          <CallsPlot buckets={buckets} bucketSeconds={bucketSeconds} onZoom={onZoom} />
        </Suspense>
      </div>
      <table className="visually-hidden">
        <caption>Calls over time</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Calls</th>
            <th scope="col">Errors</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ at, calls, errors }) => (
            <tr key={at}>
              <th scope="row">{formatShortMoment(at * 1000)}</th>
              <td>{formatCount(calls)}</td>
              <td>{formatCount(errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
