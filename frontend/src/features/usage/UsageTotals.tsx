import { histogramError } from '@orange-id/contract/latency.histogram';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import type { ReactNode } from 'react';
import { formatCount, formatShare } from '../../ui/number.text';
import '../../ui/skeleton.css';
import { formatPercentile } from '../../ui/time.text';
import { quotaText } from './quota.text';
import { countChange, durationChange } from './usage.compare';

interface UsageTotalsProps {
  metrics: UsageMetrics | undefined;
  /** The figures of the previous period; `null` without a comparison, `undefined` while they load. */
  previous: UsageMetrics | null | undefined;
  /** Whether the previous period has no calls, so there is nothing to compare with; the filters say so. */
  isPreviousEmpty: boolean;
  /** Whether the figures may be outdated. */
  isStale: boolean;
  /** Since when they are outdated, if nothing else on the page says so: `As of 12:03:41`. */
  staleNote: string | null;
}

interface FigureProps {
  label: string;
  value: ReactNode;
  note: ReactNode;
  /** The change since the previous period; `null` omits the line. */
  change: ReactNode | null;
}

function Figure({ label, value, note, change }: FigureProps) {
  return (
    <div className="usage-figure">
      <dt>{label}</dt>
      <dd>
        <span className="usage-figure-value tabular">{value}</span>
        <span className="usage-figure-note">{note}</span>
        {change !== null && <span className="usage-figure-change tabular">{change}</span>}
      </dd>
    </div>
  );
}

const blank = '\u00a0';
const measured = 'Response times are measured at the server.';
const estimate = ` Percentiles are accurate to ±${(histogramError * 100).toFixed(1)}%.`;
const percentiles = [
  ['p50', 'Median'],
  ['p95', '95% of calls are faster'],
  ['p99', '99% of calls are faster'],
] as const;

const labels = ['Calls', 'Errors', 'Blocked', ...percentiles.map(([figure]) => `Response ${figure}`)];

/** The same figures without their values, and the room of the text below them. */
function TotalsSkeleton({ isCompared }: { isCompared: boolean }) {
  return (
    <div className="usage-totals-frame" role="status" aria-label="Loading">
      <dl className="usage-totals" aria-hidden>
        {labels.map((label) => (
          <Figure
            key={label}
            label={label}
            value={<span className="skeleton usage-figure-skeleton" />}
            note={blank}
            change={isCompared ? blank : null}
          />
        ))}
      </dl>
      <p className="usage-today usage-today-skeleton" aria-hidden>
        {quotaText({ calls: 0, quota: 1_000_000 })}
        <span className="usage-measured">{measured}</span>
      </p>
    </div>
  );
}

/** The figures of the range: counts and response times, their accuracy, and how they changed. */
export function UsageTotals({ metrics, previous, isPreviousEmpty, isStale, staleNote }: UsageTotalsProps) {
  if (!metrics) return <TotalsSkeleton isCompared={previous !== null} />;
  const { totals } = metrics;
  const { calls, errors, blocked } = totals;
  const isExact = metrics.percentiles === 'exact';
  const before = previous?.totals;
  const changeOf = (figure: 'calls' | 'errors' | 'blocked') => {
    if (previous === null || isPreviousEmpty) return null;
    return before ? countChange(totals[figure], before[figure]) : blank;
  };
  const durationChangeOf = (figure: 'p50' | 'p95' | 'p99') => {
    if (previous === null || isPreviousEmpty) return null;
    if (!before) return blank;
    const isEachExact = isExact && previous?.percentiles === 'exact';
    return durationChange(totals[figure], before[figure], isEachExact) ?? blank;
  };
  return (
    <div className="usage-totals-frame" data-stale={isStale}>
      <dl className="usage-totals" data-previous-empty={isPreviousEmpty} aria-label="Totals">
        <Figure label="Calls" value={formatCount(calls)} note="Selected period" change={changeOf('calls')} />
        <Figure
          label="Errors"
          value={formatCount(errors)}
          note={`${formatShare(errors, calls)} of calls`}
          change={changeOf('errors')}
        />
        <Figure
          label="Blocked"
          value={formatCount(blocked)}
          note="Origin not allowed"
          change={changeOf('blocked')}
        />
        {percentiles.map(([figure, meaning]) => (
          <Figure
            key={figure}
            label={`Response ${figure}`}
            value={formatPercentile(totals[figure], isExact)}
            note={totals[figure] === null ? blank : meaning}
            change={durationChangeOf(figure)}
          />
        ))}
      </dl>
      <p className="usage-today tabular">
        {quotaText(metrics.today)}
        <span className="usage-measured">
          {measured}
          {!isExact && estimate}
        </span>
      </p>
      {staleNote && <p className="usage-stale tabular">{staleNote}</p>}
    </div>
  );
}
