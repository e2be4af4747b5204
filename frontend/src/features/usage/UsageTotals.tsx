import { histogramError } from '@orange-id/contract/latency.histogram';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { formatCount, formatPercentile, formatShare } from './usage.format';

type Totals = UsageMetrics['totals'];

interface UsageTotalsProps {
  totals: Totals | undefined;
  previous: Totals | undefined;
  /** Why the figures may not be the current ones, when they are not: `As of 12:03:41`. */
  staleNote: string | null;
}

function change(now: number, before: number | undefined): string {
  if (before === undefined) return ' ';
  if (before === 0) return now === 0 ? ' ' : 'none in the period before';
  const percent = Math.round((100 * (now - before)) / before);
  if (percent === 0) return 'as in the period before';
  return `${percent > 0 ? '+' : '−'}${formatCount(Math.abs(percent))} % on the period before`;
}

function Figure({ label, value, note }: { label: string; value: string; note: ReactNode }) {
  return (
    <div className="usage-figure">
      <dt>{label}</dt>
      <dd>
        <span className="usage-figure-value tabular">{value}</span>
        <span className="usage-figure-note">{note}</span>
      </dd>
    </div>
  );
}

const within = `± ${(histogramError * 100).toFixed(1)} %`;

/** The figures of the range: counts with their change, and response times with their exactness. */
export function UsageTotals({ totals, previous, staleNote }: UsageTotalsProps) {
  if (!totals)
    return (
      <div className="usage-totals" role="status" aria-label="Loading">
        {['calls', 'errors', 'blocked', 'p50', 'p95', 'p99'].map((figure) => (
          <div key={figure} className="usage-figure">
            <Skeleton active title={{ width: '40%' }} paragraph={{ rows: 1, width: '80%' }} />
          </div>
        ))}
      </div>
    );
  const { calls, errors, blocked, p50, p95, p99 } = totals;
  return (
    <div className="usage-totals-frame" data-stale={staleNote !== null}>
      <dl className="usage-totals" aria-label="Totals">
        <Figure label="Calls" value={formatCount(calls)} note={change(calls, previous?.calls)} />
        <Figure label="Errors" value={formatCount(errors)} note={`${formatShare(errors, calls)} of calls`} />
        <Figure label="Blocked" value={formatCount(blocked)} note="by the origin rule" />
        <Figure label="Response p50" value={formatPercentile(p50)} note={`median, ${within}`} />
        <Figure label="Response p95" value={formatPercentile(p95)} note={`95 % are faster, ${within}`} />
        <Figure label="Response p99" value={formatPercentile(p99)} note={`99 % are faster, ${within}`} />
      </dl>
      {staleNote && <p className="usage-stale tabular">{staleNote}</p>}
    </div>
  );
}
