import type { SavedKey } from '@orange-id/contract/keys.schema';
import type { QueryClient } from '@tanstack/react-query';
import { change } from '../../api/change';
import { draftStore } from '../../api/draft.storage';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/query.keys';
import { createSavedKey, deleteSavedKey, getSavedKeys } from '../../api/saved.keys';
import { z } from 'zod';

const lists = [queryKeys.savedKeys];

/** The name typed for the next key. */
export const nameDrafts = draftStore('savedKeyDraft', z.string());

/** Changes the list ahead of reading it again. */
const patch = (queryClient: QueryClient, apply: (keys: SavedKey[]) => SavedKey[]): void =>
  void queryClient.setQueryData<SavedKey[]>(queryKeys.savedKeys, (keys) => keys && apply(keys));

/** The key of this name that was not there before. */
const madeSince = async (before: readonly SavedKey[], name: string): Promise<SavedKey | undefined> =>
  (await getSavedKeys()).find((key) => key.name === name && !before.some(({ id }) => id === key.id));

/**
 * Its name is no draft any more, also for who left the page meanwhile. Where no answer comes, the list tells whether
 * the key was made all the same: asked for again, there would be two.
 */
export const makeKey = (
  queryClient: QueryClient,
  { name, userId }: { name: string; userId: string | null },
): Promise<SavedKey> =>
  change(queryClient, lists, async () => {
    const before = queryClient.getQueryData<SavedKey[]>(queryKeys.savedKeys);
    const key = await createSavedKey(name).catch(async (error: unknown) => {
      // `fetch` rejects with a TypeError when no answer came at all.
      const isLost = error instanceof TypeError && before !== undefined;
      const made = isLost ? await madeSince(before, name).catch(() => undefined) : undefined;
      if (made) return made;
      throw error;
    });
    if (userId !== null) nameDrafts.clear(userId);
    patch(queryClient, (keys) => [key, ...keys.filter(({ id }) => id !== key.id)]);
    return key;
  });

/** One that is gone by the time the deletion arrives is deleted, as was wanted. */
export const removeKey = (queryClient: QueryClient, { id }: SavedKey): Promise<void> =>
  change(queryClient, lists, async () => {
    await deleteSavedKey(id).catch((error: unknown) => {
      if (!(error instanceof HttpError && error.code === 'keys.notFound')) throw error;
    });
    patch(queryClient, (keys) => keys.filter((key) => key.id !== id));
  });
