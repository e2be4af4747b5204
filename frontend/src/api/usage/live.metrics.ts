import { usageMatcher } from '@orange-id/contract/usage.filter.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { getMetrics } from './get.metrics';
import { useLive } from './live.context';
import { queryKeys } from '../cache/query.keys';
import { readCurrent } from '../cache/read.current';
import { createThrottle } from './refresh.throttle';

const refreshEveryMs = 2_000;
/** A range that ends now moves on even without new calls. */
export const windowMovesMs = 60_000;
/** While the live connection is down, the page polls for new calls. */
export const pollMs = 15_000;

interface LiveMetrics {
  /** The cache key; must change whenever the filters change for a reason other than time. */
  view: object;
  /** The filters at a time in ms since the epoch. */
  filtersAt: (now: number) => UsageFilters;
  /** Whether the range can still receive new calls. */
  isOpen: boolean;
  /** Whether the figures of the previous view stay visible until the new ones have loaded. */
  isReplacing?: boolean;
}

/**
 * Totals, series and breakdowns; refetched when live calls arrive, at most every 2 s, and at intervals while the range
 * is open.
 */
export function useLiveMetrics({ view, filtersAt, isOpen, isReplacing = true }: LiveMetrics) {
  const { status, isOnline, onRows, onResync } = useLive();
  const query = useQuery({
    queryKey: queryKeys.metrics(view),
    queryFn: ({ signal }) => getMetrics(filtersAt(Date.now()), signal),
    ...(isReplacing ? { placeholderData: keepPreviousData } : {}),
    refetchOnMount: 'always',
    // The live connection knows better than the browser whether the server is reachable.
    networkMode: 'always',
    refetchInterval: !isOpen || !isOnline ? false : status === 'live' ? windowMovesMs : pollMs,
  });

  const { refetch } = query;
  const client = useQueryClient();
  const matcher = useEffectEvent(() => usageMatcher(filtersAt(Date.now())));
  useEffect(() => {
    const throttle = createThrottle(() => readCurrent(client, queryKeys.metrics(view)), refreshEveryMs);
    const stopRows = onRows((rows) => {
      if (rows.some(matcher())) throttle.ask();
    });
    // Not throttled: a user's first call often comes right after connecting and must appear at once.
    const stopResync = onResync(() => void refetch());
    return () => {
      stopRows();
      stopResync();
      throttle.stop();
    };
  }, [client, view, refetch, onRows, onResync]);

  return query;
}
