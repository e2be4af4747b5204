import { usageRanges } from '@orange-id/contract/usage.range';
import type { UsageMetrics, UsageRow } from '@orange-id/contract/usage.schema';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useLive } from '../../api/live.context';
import { useLiveMetrics } from '../../api/live.metrics';
import { outcomeOf } from '../../ui/call.text';
import { useNow } from '../../ui/clock.store';
import { LiveState } from '../../ui/LiveState';
import { formatCount, formatShare } from '../../ui/number.text';
import { absoluteTime, formatAgo, formatClock, formatPercentile } from '../../ui/time.text';
import { Tooltip } from '../../ui/Tooltip';
import { CardFailure } from './CardFailure';
import { DayBars } from './DayBars';
import { Figure } from './Figure';
import { useUtcDay } from './utc.day';

const lastDay = { of: 'dashboard', range: '24h' };
const lastDayFilters = (now: number) => ({ from: new Date(now - usageRanges['24h']).toISOString() });

/** The developer's own calls: today's figures by UTC, the newest call, and the last 24 hours, all of them live. */
export function ApiCalls({ lastCall }: { lastCall: UseQueryResult<UsageRow | null> }) {
  const day = useUtcDay();
  const todayView = useMemo(() => ({ of: 'dashboard', day }), [day]);
  const today = useLiveMetrics({
    view: todayView,
    filtersAt: () => ({ from: `${day}T00:00:00.000Z` }),
    isOpen: true,
    // Yesterday's figures are not today's, not even for a moment.
    isReplacing: false,
  });
  const recent = useLiveMetrics({ view: lastDay, filtersAt: lastDayFilters, isOpen: true });
  const { status } = useLive();

  const reads = [today, recent, lastCall];
  const error = reads.find(({ isError }) => isError)?.error ?? null;
  const isMissing = reads.some(({ data, isError }) => data === undefined && isError);
  const readAt = Math.min(...reads.map(({ dataUpdatedAt }) => dataUpdatedAt));
  const isFollowing = status === 'live' || status === 'connecting';
  const isStale = readAt > 0 && (!isFollowing || error !== null);
  const failure = error && (
    <CardFailure
      title="Failed to load your calls"
      error={error}
      isRetrying={reads.some(({ isFetching }) => isFetching)}
      onRetry={() => reads.forEach(({ isError, refetch }) => isError && void refetch())}
    />
  );

  return (
    <section className="dash-card dash-calls" aria-labelledby="dash-calls-title">
      <div className="dash-card-head">
        <h2 id="dash-calls-title">API calls</h2>
        <LiveState readAt={readAt || null} />
        <Link className="dash-card-link" to="/usage">
          Open Usage
        </Link>
      </div>
      {isMissing ? (
        <div className="dash-calls-failed">{failure}</div>
      ) : (
        <>
          <div className="dash-calls-live" data-stale={isStale}>
            <dl className="dash-figures" aria-label="Calls">
              <TodayFigures metrics={today.data} />
              <LastCall row={lastCall.data} />
            </dl>
            <DayBars metrics={recent.data} />
          </div>
          {/* Without the live connection its state says as much. */}
          {status === 'live' && isStale && <p className="dash-stale tabular">As of {formatClock(readAt)}</p>}
          {failure}
        </>
      )}
    </section>
  );
}

function TodayFigures({ metrics }: { metrics: UsageMetrics | undefined }) {
  const totals = metrics?.totals;
  const blocked = totals && totals.blocked > 0 ? ` · ${formatCount(totals.blocked)} blocked` : '';
  return (
    <>
      <Figure label="Calls today" value={totals && formatCount(totals.calls)} note="since 00:00 UTC" />
      <Figure
        label="Errors today"
        value={totals && formatCount(totals.errors)}
        note={totals && `${formatShare(totals.errors, totals.calls)} of calls${blocked}`}
      />
      <Figure
        label="p95 today"
        value={metrics && formatPercentile(metrics.totals.p95, metrics.percentiles === 'exact')}
        note="95 % are faster"
      />
    </>
  );
}

function LastCall({ row }: { row: UsageRow | null | undefined }) {
  const now = useNow();
  if (!row)
    return (
      <Figure label="Last call" value={row === null ? '–' : undefined} note={row === null && 'None yet'} />
    );
  return (
    <Figure
      label="Last call"
      value={
        <Tooltip text={absoluteTime(row.timestamp)}>
          <Link to={`/usage?call=${row.seq}`}>
            <time dateTime={row.timestamp}>{formatAgo(row.timestamp, now)}</time>
          </Link>
        </Tooltip>
      }
      note={
        <>
          {row.statusCode} {outcomeOf(row).word}
          <code>{row.endpoint}</code>
        </>
      }
    />
  );
}
