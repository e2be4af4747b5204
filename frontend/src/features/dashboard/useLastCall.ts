import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getUsage } from '../../api/get.usage';
import { useLive } from '../../api/live.context';
import { pollMs } from '../../api/live.metrics';
import { queryKeys } from '../../api/query.keys';

const queryKey = queryKeys.usage({ newest: true });

/** The newest recorded call, `null` before the first; follows the live ones, and asks without the live connection. */
export function useLastCall() {
  const { status, isOnline, onRows, onResync } = useLive();
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<UsageRow | null> => {
      const { rows } = await getUsage({ limit: 1 }, { signal });
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
      const last = rows.at(-1);
      if (last) queryClient.setQueryData<UsageRow | null>(queryKey, (before) => newer(last, before ?? null));
    });
    const stopResync = onResync(() => void refetch());
    return () => {
      stopRows();
      stopResync();
    };
  }, [queryClient, refetch, onRows, onResync]);

  return query;
}

const newer = (a: UsageRow | null, b: UsageRow | null): UsageRow | null =>
  a !== null && b !== null ? (a.seq >= b.seq ? a : b) : (a ?? b);
