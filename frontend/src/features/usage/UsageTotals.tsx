import { histogramError } from '@orange-id/contract/latency.histogram';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Flex } from 'antd';
import { Figure } from '../../ui/Figure';
import { formatCount, formatShare } from '../../ui/number.text';
import { formatPercentile } from '../../ui/time.text';
import { quotaText } from './quota.text';
import { countChange, durationChange } from './usage.compare';
import styles from './usage.module.css';

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

const blank = '\u00a0';
const measured = 'Response times are measured at the server.';
const estimate = ` Percentiles are accurate to ±${(histogramError * 100).toFixed(1)}%.`;
const percentiles = [
  ['p50', 'Median'],
  ['p95', '95% of calls are faster'],
  ['p99', '99% of calls are faster'],
] as const;

const labels = ['Calls', 'Errors', 'Blocked', ...percentiles.map(([figure]) => `Response ${figure}`)];

/** Placeholder: the figures without their values, and the space of the text below them. */
function TotalsSkeleton({ isCompared }: { isCompared: boolean }) {
  return (
    <Flex vertical gap={8} role="status" aria-label="Loading">
      <dl className={`light-card ${styles.totals}`} aria-hidden>
        {labels.map((label) => (
          <Figure key={label} label={label} value={undefined} note={blank} change={isCompared && blank} />
        ))}
      </dl>
      <p className="note" style={{ visibility: 'hidden' }} aria-hidden>
        {quotaText({ calls: 0, quota: 1_000_000 })} {measured}
      </p>
    </Flex>
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
    <Flex vertical gap={8} data-stale={isStale}>
      <dl className={`light-card ${styles.totals}`} aria-label="Totals">
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
      <Flex wrap gap="0 16px" className="note tabular">
        <span>{quotaText(metrics.today)}</span>
        <span>{isExact ? measured : measured + estimate}</span>
      </Flex>
      {staleNote && <p className="note tabular">{staleNote}</p>}
    </Flex>
  );
}
