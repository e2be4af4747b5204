import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { getUsage } from './get.usage';
import { useLive } from './live.context';
import { pollMs } from './live.metrics';
import { queryKeys } from '../cache/query.keys';

/**
 * How many of the newest rows to search for the latest call; a call that is stored more than this many rows late is
 * missed.
 */
const rowsRead = 50;

/**
 * The call with the latest time. A call that the server buffered can be stored after later ones, so the newest row
 * isn't always the latest call. Of calls at the same time, the one stored last.
 */
export const latestCall = (rows: readonly UsageRow[]): UsageRow | null =>
  rows.slice(0, rowsRead).reduce<UsageRow | null>(later, null);

const later = (a: UsageRow | null, b: UsageRow): UsageRow => {
  if (a === null) return b;
  const ahead = Date.parse(a.timestamp) - Date.parse(b.timestamp) || a.seq - b.seq;
  return ahead >= 0 ? a : b;
};

/**
 * The latest call of the account or of one project (by its code), `null` before the first. Follows the live rows, and
 * polls while the live connection is down.
 */
export function useLastCall(projectId?: string) {
  const { status, isOnline, onRows, onResync } = useLive();
  const queryClient = useQueryClient();
  const queryKey = useMemo(() => queryKeys.usage({ newest: true, projectId }), [projectId]);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<UsageRow | null> => {
      const { rows } = await getUsage(
        { limit: rowsRead, ...(projectId === undefined ? {} : { projectId }) },
        { signal },
      );
      // A later call may have arrived live during the request.
      const known = queryClient.getQueryData<UsageRow | null>(queryKey);
      return latestCall(known ? [known, ...rows] : rows);
    },
    refetchOnMount: 'always',
    networkMode: 'always',
    refetchInterval: isOnline && status !== 'live' ? pollMs : false,
  });

  const { refetch } = query;
  useEffect(() => {
    const stopRows = onRows((rows) => {
      const own = rows.filter((row) => projectId === undefined || row.projectId === projectId);
      if (own.length > 0)
        queryClient.setQueryData<UsageRow | null>(queryKey, (known) => own.reduce(later, known ?? null));
    });
    const stopResync = onResync(() => void refetch());
    return () => {
      stopRows();
      stopResync();
    };
  }, [queryClient, queryKey, projectId, refetch, onRows, onResync]);

  return query;
}
