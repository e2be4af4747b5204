import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { HttpError } from '../http';
import { queryKeys } from './query.keys';

/**
 * Runs a change on the server and then refetches the `lists` it affects, also after a failure: the change may have been
 * made and only its response lost. Throws what `work` throws.
 */
export async function change<T>(
  queryClient: QueryClient,
  lists: readonly QueryKey[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The session decides whether a 401 signs the user out.
    if (error instanceof HttpError && error.status === 401)
      void queryClient.invalidateQueries({ queryKey: queryKeys.user });
    throw error;
  } finally {
    for (const queryKey of lists) void queryClient.invalidateQueries({ queryKey });
  }
}
