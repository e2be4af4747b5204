import { QueryClient } from '@tanstack/react-query';
import { followRewards } from './follow.rewards';
import { http, HttpError } from './http';

/** The default data query: GET to the first element of the key; a 401 is an empty result, not an error. */
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
 * A query client with the product’s defaults: no retries, never stale, no refetch on focus, unused data kept 5 min.
 * Without a network it asks all the same and says what failed, where it would wait silently; what failed is asked
 * again when the network is back.
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
