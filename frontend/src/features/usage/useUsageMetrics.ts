import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getMetrics } from '../../api/get.metrics';
import { useLive } from '../../api/live.context';
import { queryKeys } from '../../api/query.keys';
import { createThrottle } from './refresh.throttle';
import { filtersOf, isRolling, previousFiltersOf, rowsInView, type UsageView } from './usage.view';

const refreshEveryMs = 2_000;
/** A range up to now moves on even when nobody calls. */
const windowMovesMs = 60_000;
/** Without the live connection nothing tells of new calls, so they are asked for. */
const pollMs = 15_000;

/** Totals, series and breakdowns of the view; read again as live calls arrive, at most every 2 s, and from time to time while the view is open. */
export function useUsageMetrics(view: UsageView, isOpen: boolean) {
  const { status, isOnline, onRows, onResync } = useLive();
  const query = useQuery({
    queryKey: queryKeys.metrics(view),
    queryFn: ({ signal }) => getMetrics(filtersOf(view, Date.now()), signal),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    // The live connection knows better than the browser whether the server can be reached.
    networkMode: 'always',
    refetchInterval: !isOpen || !isOnline ? false : status === 'live' ? windowMovesMs : pollMs,
  });

  const { refetch } = query;
  useEffect(() => {
    const throttle = createThrottle(() => refetch({ cancelRefetch: false }), refreshEveryMs);
    const stopRows = onRows((rows) => {
      if (rowsInView(rows, view, Date.now()).length > 0) throttle.ask();
    });
    // Not throttled: the first call often follows right on the connection, and must not wait for it.
    const stopResync = onResync(() => void refetch());
    return () => {
      stopRows();
      stopResync();
      throttle.stop();
    };
  }, [view, refetch, onRows, onResync]);

  return query;
}

/** The same figures for the stretch of equal length just before, while somebody compares. */
export function usePreviousMetrics(view: UsageView, isCompared: boolean) {
  return useQuery({
    queryKey: queryKeys.metrics({ ...view, before: true }),
    queryFn: ({ signal }) => getMetrics(previousFiltersOf(view, Date.now()), signal),
    enabled: isCompared,
    staleTime: windowMovesMs,
    refetchInterval: isRolling(view.range) ? windowMovesMs : false,
  });
}
