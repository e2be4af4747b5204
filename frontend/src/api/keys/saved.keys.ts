import { savedKey, savedKeyList, type SavedKey } from '@orange-id/contract/keys.schema';
import { useQuery } from '@tanstack/react-query';
import { http } from '../http';
import { queryKeys } from '../cache/query.keys';

const path = '/api/keys';

/** `GET /api/keys`: the user's saved keys, newest first. Throws what `http` throws. */
export const getSavedKeys = (signal?: AbortSignal): Promise<SavedKey[]> =>
  http({ path, schema: savedKeyList, ...(signal && { signal }) });

/** The same list, cached. */
export const useSavedKeys = () =>
  useQuery({
    queryKey: queryKeys.savedKeys,
    queryFn: ({ signal }) => getSavedKeys(signal),
    // Other tabs create and delete keys without notice to this page.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });

/** `POST /api/keys`. Throws what `http` throws. */
export const createSavedKey = (name: string): Promise<SavedKey> =>
  http({ path, method: 'POST', body: { name }, schema: savedKey });

/** `DELETE /api/keys/:id`: the key stops working within 1 s. Throws what `http` throws. */
export const deleteSavedKey = (id: string): Promise<void> =>
  http<void>({ path: `${path}/${encodeURIComponent(id)}`, method: 'DELETE' });
