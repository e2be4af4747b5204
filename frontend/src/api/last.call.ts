import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { getUsage } from './get.usage';
import { useLive } from './live.context';
import { pollMs } from './live.metrics';
import { queryKeys } from './query.keys';

/**
 * The newest recorded call of the account, or of one project (its code), `null` before the first; follows the live
 * ones, and asks without the live connection.
 */
export function useLastCall(projectId?: string) {
  const { status, isOnline, onRows, onResync } = useLive();
  const queryClient = useQueryClient();
  const queryKey = useMemo(() => queryKeys.usage({ newest: true, projectId }), [projectId]);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<UsageRow | null> => {
      const { rows } = await getUsage(
        { limit: 1, ...(projectId === undefined ? {} : { projectId }) },
        { signal },
      );
      // An answer that was on its way while a newer call arrived live.
      return newer(rows[0] ?? null, queryClient.getQueryData<UsageRow | null>(queryKey) ?? null);
    },
    refetchOnMount: 'always',
    networkMode: 'always',
    refetchInterval: isOnline && status !== 'live' ? pollMs : false,
  });

  const { refetch } = query;
  useEffect(() => {
    const stopRows = onRows((rows) => {
      const last = rows.findLast((row) => projectId === undefined || row.projectId === projectId);
      if (last) queryClient.setQueryData<UsageRow | null>(queryKey, (before) => newer(last, before ?? null));
    });
    const stopResync = onResync(() => void refetch());
    return () => {
      stopRows();
      stopResync();
    };
  }, [queryClient, queryKey, projectId, refetch, onRows, onResync]);

  return query;
}

const newer = (a: UsageRow | null, b: UsageRow | null): UsageRow | null =>
  a !== null && b !== null ? (a.seq >= b.seq ? a : b) : (a ?? b);
