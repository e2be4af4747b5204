import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { HttpError } from './http';
import { queryKeys } from './query.keys';

/**
 * A change of what the server keeps, with all that follows from it for what the pages hold. These lists are read again
 * afterwards, also when it failed: the answer may have been lost alone. Throws what `work` throws.
 */
export async function change<T>(
  queryClient: QueryClient,
  lists: readonly QueryKey[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Whether the session is over is for the session to find out.
    if (error instanceof HttpError && error.status === 401)
      void queryClient.invalidateQueries({ queryKey: queryKeys.user });
    throw error;
  } finally {
    for (const queryKey of lists) void queryClient.invalidateQueries({ queryKey });
  }
}
