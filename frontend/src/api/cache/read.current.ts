import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches a query that is shown, with a request that starts now: one under way may have been answered before what
 * happened since. It is awaited and not restarted; otherwise a slow response would never arrive.
 */
export async function readCurrent(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const query = { queryKey, exact: true, type: 'active' } as const;
  const read = () => client.refetchQueries(query, { cancelRefetch: false });
  if (client.isFetching(query) > 0) await read();
  await read();
}
