import { usageMatcher } from '@orange-id/contract/usage.filter.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { getMetrics } from './get.metrics';
import { useLive } from './live.context';
import { queryKeys } from './query.keys';
import { createThrottle } from './refresh.throttle';

const refreshEveryMs = 2_000;
/** A range up to now moves on even when nobody calls. */
export const windowMovesMs = 60_000;
/** Without the live connection nothing tells of new calls, so they are asked for. */
export const pollMs = 15_000;

interface LiveMetrics {
  /** What the figures are kept under; must change whenever the filters do for another reason than the time. */
  view: object;
  /** The filters at a moment, in ms since the epoch. */
  filtersAt: (now: number) => UsageFilters;
  /** Whether new calls can still come. */
  isOpen: boolean;
  /** Whether the figures of the view before stand there until these are read. */
  isReplacing?: boolean;
}

/** Totals, series and breakdowns; read again as live calls arrive, at most every 2 s, and from time to time while open. */
export function useLiveMetrics({ view, filtersAt, isOpen, isReplacing = true }: LiveMetrics) {
  const { status, isOnline, onRows, onResync } = useLive();
  const query = useQuery({
    queryKey: queryKeys.metrics(view),
    queryFn: ({ signal }) => getMetrics(filtersAt(Date.now()), signal),
    ...(isReplacing ? { placeholderData: keepPreviousData } : {}),
    refetchOnMount: 'always',
    // The live connection knows better than the browser whether the server can be reached.
    networkMode: 'always',
    refetchInterval: !isOpen || !isOnline ? false : status === 'live' ? windowMovesMs : pollMs,
  });

  const { refetch } = query;
  const matcher = useEffectEvent(() => usageMatcher(filtersAt(Date.now())));
  useEffect(() => {
    const throttle = createThrottle(() => refetch({ cancelRefetch: false }), refreshEveryMs);
    const stopRows = onRows((rows) => {
      if (rows.some(matcher())) throttle.ask();
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
