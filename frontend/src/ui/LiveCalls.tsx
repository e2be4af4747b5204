import './light-card.css';
import { usageRanges } from '@orange-id/contract/usage.range';
import type { UsageMetrics, UsageRow } from '@orange-id/contract/usage.schema';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useLive } from '../api/usage/live.context';
import { useLiveMetrics } from '../api/usage/live.metrics';
import { endpointText, outcomeOf } from './call.text';
import { useNow } from './clock.store';
import { LiveState } from './LiveState';
import { formatCount, formatShare } from './number.text';
import { absoluteTime, formatAgo, formatClock, formatPercentile } from './time.text';
import { Tooltip } from './Tooltip';
import { LoadFailure } from './LoadFailure';
import { DayBars } from './DayBars';
import { Figure } from './Figure';
import { useUtcDay } from './utc.day';
import styles from './live-calls.module.css';

interface LiveCallsProps {
  /** The heading. */
  title: ReactNode;
  lastCall: UseQueryResult<UsageRow | null>;
  /** A project's code, to show only its calls; by default those of the whole account. */
  projectId?: string;
}

/** The user's calls, live: today's figures (UTC), the latest call and the last 24 hours. */
export function LiveCalls({ title, lastCall, projectId }: LiveCallsProps) {
  const day = useUtcDay();
  const scope = useMemo(() => (projectId === undefined ? {} : { projectId }), [projectId]);
  const todayView = useMemo(() => ({ of: 'calls', day, ...scope }), [day, scope]);
  const lastDayView = useMemo(() => ({ of: 'calls', range: '24h', ...scope }), [scope]);
  const today = useLiveMetrics({
    view: todayView,
    filtersAt: () => ({ from: `${day}T00:00:00.000Z`, ...scope }),
    isOpen: true,
    // Yesterday's figures must not show as today's, not even for a moment.
    isReplacing: false,
  });
  const recent = useLiveMetrics({
    view: lastDayView,
    filtersAt: (now) => ({ from: new Date(now - usageRanges['24h']).toISOString(), ...scope }),
    isOpen: true,
    // The figures of another project must not show as this one's, either.
    isReplacing: false,
  });
  const { status } = useLive();

  const reads = [today, recent, lastCall];
  const error = reads.find(({ isError }) => isError)?.error ?? null;
  const isMissing = reads.some(({ data, isError }) => data === undefined && isError);
  const readAt = Math.min(...reads.map(({ dataUpdatedAt }) => dataUpdatedAt));
  const isFollowing = status === 'live' || status === 'connecting';
  const isStale = readAt > 0 && (!isFollowing || error !== null);
  const failure = error && (
    <LoadFailure
      title="Failed to load your calls"
      error={error}
      isRetrying={reads.some(({ isFetching }) => isFetching)}
      onRetry={() => reads.forEach(({ isError, refetch }) => isError && void refetch())}
    />
  );

  return (
    <div className={styles.root}>
      <div className="light-card-head">
        {title}
        <LiveState readAt={readAt || null} />
        <Link
          className="action-link"
          to={`/usage${projectId === undefined ? '' : `?${new URLSearchParams({ projectId })}`}`}
        >
          Open Usage
        </Link>
      </div>
      {isMissing ? (
        <div className={styles.failed}>{failure}</div>
      ) : (
        <>
          <div className={styles.live} data-stale={isStale}>
            <dl className={styles.figures} aria-label="Calls">
              <TodayFigures metrics={today.data} />
              <LastCall row={lastCall.data} scope={scope} />
            </dl>
            <DayBars metrics={recent.data} />
          </div>
          {/* Otherwise `LiveState` shows the time of the last update. */}
          {status === 'live' && isStale && (
            <p className={`note ${styles.stale} tabular`}>As of {formatClock(readAt)}</p>
          )}
          {failure}
        </>
      )}
    </div>
  );
}

function TodayFigures({ metrics }: { metrics: UsageMetrics | undefined }) {
  const totals = metrics?.totals;
  const blocked = totals && totals.blocked > 0 ? ` · ${formatCount(totals.blocked)} blocked` : '';
  return (
    <>
      <Figure label="Calls today" value={totals && formatCount(totals.calls)} note="Since 00:00 UTC" />
      <Figure
        label="Errors today"
        value={totals && formatCount(totals.errors)}
        note={totals && `${formatShare(totals.errors, totals.calls)} of calls${blocked}`}
      />
      <Figure
        label="p95 today"
        value={metrics && formatPercentile(metrics.totals.p95, metrics.percentiles === 'exact')}
        note={
          metrics && (metrics.totals.p95 === null ? 'No calls to measure yet' : '95% of calls are faster')
        }
      />
    </>
  );
}

interface LastCallProps {
  row: UsageRow | null | undefined;
  /** The filter of the linked Usage page. */
  scope: { projectId?: string };
}

function LastCall({ row, scope }: LastCallProps) {
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
          <Link to={`/usage?${new URLSearchParams({ ...scope, call: `${row.seq}` })}`}>
            <time dateTime={row.timestamp}>{formatAgo(row.timestamp, now)}</time>
          </Link>
        </Tooltip>
      }
      note={
        <>
          {row.statusCode} {outcomeOf(row).word}
          <code>{endpointText(row)}</code>
        </>
      }
    />
  );
}
