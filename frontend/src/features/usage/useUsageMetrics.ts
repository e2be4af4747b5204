import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getMetrics } from '../../api/usage/get.metrics';
import { useLiveMetrics, windowMovesMs } from '../../api/usage/live.metrics';
import { queryKeys } from '../../api/cache/query.keys';
import { filtersOf, isRolling, previousFiltersOf, type UsageView } from './usage.view';

/**
 * Totals, series and breakdowns of the view; refetched as live calls arrive, and periodically while the view is open.
 */
export const useUsageMetrics = (view: UsageView, isOpen: boolean) =>
  useLiveMetrics({ view, filtersAt: (now) => filtersOf(view, now), isOpen });

/** The same figures for the period of equal length just before, while comparing. */
export function usePreviousMetrics(view: UsageView, isCompared: boolean) {
  return useQuery({
    queryKey: queryKeys.metrics({ ...view, before: true }),
    queryFn: ({ signal }) => getMetrics(previousFiltersOf(view, Date.now()), signal),
    placeholderData: keepPreviousData,
    enabled: isCompared,
    staleTime: windowMovesMs,
    refetchInterval: isRolling(view.range) ? windowMovesMs : false,
  });
}
