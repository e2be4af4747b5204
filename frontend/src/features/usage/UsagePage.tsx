import { ReloadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { HttpError } from '../../api/http';
import { useLive } from '../../api/live.context';
import { PageHead } from '../../ui/PageHead';
import { CallsChart } from './CallsChart';
import { EmptyUsage } from './EmptyUsage';
import { UsageBreakdowns } from './UsageBreakdowns';
import { UsageFilters } from './UsageFilters';
import { UsageTail } from './UsageTail';
import { UsageTotals } from './UsageTotals';
import { formatClock } from './usage.format';
import { isRolling, readView, writeView, type UsageView } from './usage.view';
import { usePreviousMetrics, useUsageMetrics } from './useUsageMetrics';
import './usage.css';

/** /usage: the calls made with the user's keys, as totals, over time, broken down, and one by one as they arrive. */
export function UsagePage() {
  const [query, setQuery] = useSearchParams();
  const address = query.toString();
  const view = useMemo(() => readView(new URLSearchParams(address)), [address]);
  const show = (next: UsageView) => setQuery(writeView(next));

  const { status } = useLive();
  const { data: metrics, error, refetch, isPlaceholderData, dataUpdatedAt } = useUsageMetrics(view);
  const previous = usePreviousMetrics(view);
  const isCurrent = status === 'live' || !isRolling(view.range);

  return (
    <div className="usage">
      <PageHead title="Usage" help="Every call made with your API keys, as it happens." />
      <UsageFilters view={view} metrics={metrics} onChange={show} />
      {error && (
        <Alert
          type="error"
          showIcon
          role="alert"
          className="usage-error"
          title="Failed to load usage"
          description={error instanceof HttpError ? (error.serverMessage ?? error.message) : error.message}
          action={
            <Button icon={<ReloadOutlined />} onClick={() => void refetch()}>
              Retry
            </Button>
          }
        />
      )}
      <div className="usage-content" aria-busy={isPlaceholderData}>
        {(metrics || !error) && (
          <UsageTotals
            totals={metrics?.totals}
            previous={previous.data?.totals}
            staleNote={metrics && (!isCurrent || error) ? `As of ${formatClock(dataUpdatedAt)}` : null}
          />
        )}
        {metrics && metrics.totals.calls === 0 && !isPlaceholderData && (
          <EmptyUsage key={address} view={view} onChange={show} />
        )}
        {metrics && metrics.totals.calls > 0 && (
          <>
            <CallsChart metrics={metrics} onZoom={(range) => show({ ...view, range })} />
            <UsageBreakdowns view={view} metrics={metrics} onChange={show} />
            <UsageTail key={address} view={view} />
          </>
        )}
      </div>
    </div>
  );
}
