import {
  savedKey,
  savedKeyList,
  type ChangeKey,
  type RotateKey,
  type SavedKey,
} from '@orange-id/contract/keys.schema';
import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { change } from '../cache/change';
import { queryKeys } from '../cache/query.keys';
import { http, HttpError } from '../http';
import { VanishedError } from '../vanished.error';

/** A list of keys: the saved keys, or those of a project. */
export interface KeyList {
  queryKey: QueryKey;
  /** The path of the list; the paths that rotate and end its keys start with it. */
  path: string;
  /** Other lists that a change affects. */
  others: readonly QueryKey[];
}

/** `/api/keys`: the keys that belong to no project. */
export const savedKeys: KeyList = { queryKey: queryKeys.savedKeys, path: '/api/keys', others: [] };

/** `/api/projects/:code/keys`: the key of a project and, during a rotation, the old one. */
export const projectKeys = (code: string): KeyList => ({
  queryKey: [...queryKeys.projectKeys, code],
  path: `/api/projects/${encodeURIComponent(code)}/keys`,
  others: [queryKeys.projects],
});

/** The keys of the list, newest first. Throws what `http` throws. */
export const getKeys = ({ path }: KeyList, signal?: AbortSignal): Promise<SavedKey[]> =>
  http({ path, schema: savedKeyList, ...(signal && { signal }) });

/** The keys of a list, cached; refetched when a view opens and when the window gets the focus. */
export const keysQuery = (list: KeyList) =>
  queryOptions({
    queryKey: list.queryKey,
    queryFn: ({ signal }) => getKeys(list, signal),
    // Other tabs change keys without notice to this page.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });

/**
 * Changes the name, expiry or limit of a key. Throws `VanishedError` if the key no longer exists or was replaced,
 * otherwise what `http` throws.
 */
export const changeKey = (
  queryClient: QueryClient,
  list: KeyList,
  { id, body }: { id: string; body: ChangeKey },
): Promise<SavedKey> =>
  changeIn(queryClient, list, async () => {
    const changed = await http({
      path: `/api/keys/${encodeURIComponent(id)}`,
      ...({ method: 'PATCH', body, schema: savedKey } as const),
    });
    patchKeys(queryClient, list, (keys) => keys.map((key) => (key.id === id ? changed : key)));
    return changed;
  });

/**
 * Replaces a key with a new one, of this expiry and limit; the old one works for `overlapDays`. If the response is lost, the list shows whether
 * the key was made. Throws like `changeKey`.
 */
export const rotateKey = (
  queryClient: QueryClient,
  list: KeyList,
  { id, body }: { id: string; body: RotateKey },
): Promise<SavedKey> =>
  changeIn(queryClient, list, async () => {
    const path = `${list.path}/${encodeURIComponent(id)}/rotate`;
    const made = await http({ path, method: 'POST', body, schema: savedKey }).catch(
      async (error: unknown) => {
        // `fetch` rejects with a TypeError on a network failure.
        const isLost = error instanceof TypeError;
        const successor = isLost ? await successorOf(list, id).catch(() => undefined) : undefined;
        if (successor) return successor;
        throw error;
      },
    );
    const now = new Date().toISOString();
    patchKeys(queryClient, list, (keys) => [
      made,
      ...keys
        .filter((key) => key.id !== made.id && (key.id !== id || body.overlapDays > 0))
        .map((key) => (key.id === id ? { ...key, replacedAt: key.replacedAt ?? now } : key)),
    ]);
    return made;
  });

/** Ends a key at once; one that is already gone counts as ended. Throws what `http` throws. */
export const endKey = (queryClient: QueryClient, list: KeyList, id: string): Promise<void> =>
  change(queryClient, [list.queryKey, ...list.others], async () => {
    await http<void>({ path: `${list.path}/${encodeURIComponent(id)}`, method: 'DELETE' }).catch(
      (error: unknown) => {
        if (!(error instanceof HttpError && error.code === 'keys.notFound')) throw error;
      },
    );
    patchKeys(queryClient, list, (keys) => keys.filter((key) => key.id !== id));
  });

const successorOf = async (list: KeyList, id: string): Promise<SavedKey | undefined> =>
  (await getKeys(list)).find(({ replacesId }) => replacesId === id);

/** Updates the cached list before it is refetched. */
export const patchKeys = (
  queryClient: QueryClient,
  { queryKey }: KeyList,
  apply: (keys: SavedKey[]) => SavedKey[],
) => void queryClient.setQueryData<SavedKey[]>(queryKey, (keys) => keys && apply(keys));

const changeIn = <T>(queryClient: QueryClient, list: KeyList, work: () => Promise<T>): Promise<T> =>
  change(queryClient, [list.queryKey, ...list.others], work).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    if (error.code === 'keys.notFound' || error.code === 'project.notFound') throw new VanishedError('key');
    if (error.code === 'keys.replaced') throw new VanishedError('replaced');
    throw error;
  });
