import '../../ui/light-card.css';
import '../../ui/skeleton.css';
import { Flex } from 'antd';
import { useEffect, useRef } from 'react';
import { useLive } from '../../api/usage/live.context';
import { PageHead } from '../../ui/PageHead';
import { formatClock } from '../../ui/time.text';
import { AddressProblems } from './AddressProblems';
import { CallDetail } from './CallDetail';
import { CallsChart } from './CallsChart';
import { EmptyUsage } from './EmptyUsage';
import { ExportMenu } from './ExportMenu';
import { HistoryNotice } from './HistoryNotice';

import { QuotaNotice } from './QuotaNotice';
import { UsageBreakdowns } from './UsageBreakdowns';
import { UsageError } from './UsageError';
import { UsageFilters } from './UsageFilters';
import { UsageNow } from './UsageNow';
import { UsageSkeleton } from './UsageSkeleton';
import { UsageTail } from './UsageTail';
import { UsageTotals } from './UsageTotals';
import { isRolling, type UsageView, type ViewFilters } from './usage.view';
import { useIsOpen } from './useIsOpen';
import { useNames } from './useNames';
import { useUsageAddress } from './useUsageAddress';
import { usePreviousMetrics, useUsageMetrics } from './useUsageMetrics';
import { useUsageTail } from './useUsageTail';
import styles from './usage.module.css';

/** /usage: the calls made with the user's keys, as totals, over time, broken down, and one by one as they arrive. */
export function UsagePage() {
  const address = useUsageAddress();
  const { view, viewKey, isCompared, show } = address;
  const { status } = useLive();
  const names = useNames();
  const isOpen = useIsOpen(view);
  const { data: metrics, error, refetch, isPlaceholderData, dataUpdatedAt } = useUsageMetrics(view, isOpen);
  const before = usePreviousMetrics(view, isCompared);
  const previous = !isCompared ? null : before.isPlaceholderData ? undefined : before.data;
  const tail = useUsageTail(view, isOpen, address.call);
  const isCurrent = !isOpen || status === 'live';

  // Choosing a bar or a part of the chart moves the focus to its calls once the page has rendered, unless the focus has
  // moved elsewhere since.
  const leadsFrom = useRef<Element | null>(null);
  const lead = (part: Partial<UsageView>) => {
    leadsFrom.current = document.activeElement;
    show(part);
  };
  useEffect(() => {
    const from = leadsFrom.current;
    if (!from || isPlaceholderData) return;
    leadsFrom.current = null;
    if (document.activeElement !== from && document.activeElement !== document.body) return;
    const title = document.getElementById('usage-tail-title');
    title?.scrollIntoView({ block: 'start' });
    title?.focus({ preventScroll: true });
  }, [viewKey, isPlaceholderData]);
  const opener = useRef<HTMLElement | null>(null);
  const openCall = (call: number) => {
    opener.current = document.activeElement?.closest<HTMLElement>(`.${styles.callLink}`) ?? null;
    address.openCall(call);
  };
  const widen = (filters: ViewFilters) =>
    show(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])));

  return (
    <div className={styles.root}>
      <PageHead
        title="Usage"
        help="Every call made with your API keys, as it happens."
        action={<ExportMenu view={view} isEmpty={metrics?.totals.calls === 0} />}
      />
      <Flex vertical gap={16}>
        <UsageNow tail={tail} isOpen={isOpen} callHref={address.callHref} onOpen={openCall} />
        <UsageFilters
          view={view}
          isCompared={isCompared}
          isPreviousEmpty={previous?.totals.calls === 0}
          metrics={metrics}
          names={names}
          onChange={show}
          onCompare={address.compare}
        />
        <AddressProblems problems={address.problems} onTidy={address.tidy} />
        {error && <UsageError error={error} view={view} onChange={show} onRetry={() => void refetch()} />}
        <QuotaNotice today={metrics?.today} />
        <HistoryNotice metrics={metrics} />
        <div className={`stack ${styles.content}`} aria-busy={isPlaceholderData}>
          {(metrics || !error) && (
            <UsageTotals
              metrics={metrics}
              previous={previous}
              // Until the previous period of a new view has loaded, the response of the last view decides, so that the
              // cards keep their shape.
              isPreviousEmpty={isCompared && before.data?.totals.calls === 0}
              isStale={!isCurrent || error !== null}
              // While disconnected, the state of the connection already says that the figures are outdated.
              staleNote={isCurrent && error ? `As of ${formatClock(dataUpdatedAt)}` : null}
            />
          )}
          {!metrics && !error && <UsageSkeleton />}
          {metrics && metrics.totals.calls === 0 && !isPlaceholderData && (
            <EmptyUsage key={viewKey} view={view} onChange={show} />
          )}
          {metrics && metrics.totals.calls > 0 && (
            <>
              <CallsChart
                metrics={metrics}
                previous={previous ?? null}
                endsNow={isRolling(view.range)}
                onPick={(range) => lead({ range })}
              />
              <UsageBreakdowns view={view} metrics={metrics} names={names} onNarrow={lead} onWiden={widen} />
              <UsageTail
                key={viewKey}
                tail={tail}
                isOpen={isOpen}
                names={names}
                callHref={address.callHref}
                onOpen={openCall}
              />
            </>
          )}
        </div>
      </Flex>
      <CallDetail call={address.call} names={names} opener={opener} onClose={address.closeCall} />
    </div>
  );
}
