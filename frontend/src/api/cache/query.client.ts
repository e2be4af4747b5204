import { QueryClient } from '@tanstack/react-query';
import { followRewards } from './follow.rewards';
import { http, HttpError } from '../http';

/** The default query: GET to the first element of the key. A 401 returns `null` instead of an error. */
export async function readKey({
  queryKey,
  signal,
}: {
  queryKey: readonly unknown[];
  signal: AbortSignal;
}): Promise<unknown> {
  try {
    return (await http<unknown>({ path: String(queryKey[0]), signal })) ?? null;
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return null;
    throw error;
  }
}

/**
 * A query client with the portal's defaults: no retries, never stale, no refetch on focus, unused data dropped after 5
 * min. Without a network, a query fails with an error instead of waiting silently, and is refetched when the network is
 * back.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: readKey,
        retry: false,
        staleTime: Infinity,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchInterval: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  followRewards(client);
  return client;
}
