import { connectedWallets } from '@orange-id/contract/wallets.schema';
import { meteredPaths } from '@orange-id/contract/metered.paths';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';
import { useLive } from '../usage/live.context';

const { path: connectPath } = meteredPaths.walletConnect;

/**
 * `GET /api/projects/:code/wallets`, page by page: the wallets connected with the project's key, most recently
 * connected first. Refetched when a live call connects one.
 */
export function useConnectedWallets(code: string) {
  const { onRows, onResync } = useLive();
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.projectWallets, code],
    queryFn: ({ pageParam, signal }) =>
      http({
        path: `/api/projects/${encodeURIComponent(code)}/wallets${pageParam === null ? '' : `?after=${pageParam}`}`,
        schema: connectedWallets,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
  const { refetch } = query;
  useEffect(() => {
    const stopRows = onRows((rows) => {
      const isConnected = rows.some(
        ({ projectId, endpoint, outcome }) =>
          projectId === code && endpoint === connectPath && outcome === 'ok',
      );
      if (isConnected) void refetch();
    });
    const stopResync = onResync(() => void refetch());
    return () => {
      stopRows();
      stopResync();
    };
  }, [code, refetch, onRows, onResync]);
  return query;
}
