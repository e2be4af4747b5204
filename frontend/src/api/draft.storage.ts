import { z } from 'zod';
import { parseJson } from './json.text';

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * What somebody has typed and not yet sent, kept for this tab and this user under a name: a reload, a visit to another
 * page and a sign-out lose nothing of it.
 */
export interface DraftStore<T> {
  /** Anything unreadable counts as none. */
  read(userId: string, storage?: DraftStorage): T | null;
  store(userId: string, draft: T, storage?: DraftStorage): void;
  clear(userId: string, storage?: DraftStorage): void;
}

/** A draft's place in the session storage; `schema` is its shape. */
export function draftStore<T>(name: string, schema: z.ZodType<T>): DraftStore<T> {
  const placeOf = (userId: string) => `${name}.${userId}`;
  return {
    read(userId, storage = sessionStorage) {
      return schema.safeParse(parseJson(storage.getItem(placeOf(userId)) ?? '')).data ?? null;
    },
    store(userId, draft, storage = sessionStorage) {
      try {
        storage.setItem(placeOf(userId), JSON.stringify(draft));
      } catch (error) {
        // A draft too large to keep stays in the page; no rule would let it be sent anyway.
        if (!(error instanceof DOMException)) throw error;
        storage.removeItem(placeOf(userId));
      }
    },
    clear(userId, storage = sessionStorage) {
      storage.removeItem(placeOf(userId));
    },
  };
}
