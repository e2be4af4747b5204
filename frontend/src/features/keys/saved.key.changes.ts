import type { SavedKey } from '@orange-id/contract/keys.schema';
import type { QueryClient } from '@tanstack/react-query';
import { change } from '../../api/cache/change';
import { draftStore } from '../../api/projects/draft.storage';
import { queryKeys } from '../../api/cache/query.keys';
import { changeKey, getKeys, patchKeys, savedKeys } from '../../api/keys/key.list';
import { createSavedKey } from '../../api/keys/saved.keys';
import { z } from 'zod';
import type { KeyTerms, MadeKey } from './saved.keys.machine';

const lists = [queryKeys.savedKeys];

/** The draft of the next key's name. */
export const nameDrafts = draftStore('savedKeyDraft', z.string());

/** The key with this name that isn't in `before`. */
const madeSince = async (before: readonly SavedKey[], name: string): Promise<SavedKey | undefined> =>
  (await getKeys(savedKeys)).find((key) => key.name === name && !before.some(({ id }) => id === key.id));

/**
 * Creates a key, then gives it the expiry and the limit, and clears the draft of its name, even if the user has left the
 * page. If the response is lost, the list
 * shows whether the key was created; another request would create a second one.
 */
export const makeKey = (
  queryClient: QueryClient,
  { name, terms, userId }: { name: string; terms: KeyTerms; userId: string | null },
): Promise<MadeKey> =>
  change(queryClient, lists, async () => {
    const before = queryClient.getQueryData<SavedKey[]>(queryKeys.savedKeys);
    const key = await createSavedKey(name).catch(async (error: unknown) => {
      // `fetch` rejects with a TypeError on a network failure.
      const isLost = error instanceof TypeError && before !== undefined;
      const made = isLost ? await madeSince(before, name).catch(() => undefined) : undefined;
      if (made) return made;
      throw error;
    });
    if (userId !== null) nameDrafts.clear(userId);
    patchKeys(queryClient, savedKeys, (keys) => [key, ...keys.filter(({ id }) => id !== key.id)]);
    if (Object.keys(terms).length === 0) return { key, termsFailure: null };
    return changeKey(queryClient, savedKeys, { id: key.id, body: terms }).then(
      (changed) => ({ key: changed, termsFailure: null }),
      (termsFailure: unknown) => ({ key, termsFailure }),
    );
  });
