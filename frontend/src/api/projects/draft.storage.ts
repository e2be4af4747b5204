import { z } from 'zod';
import { parseJson } from './json.text';

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Text that a user has typed but not sent, stored per tab, user and name. It survives a reload, a visit to another page
 * and a sign-out.
 */
export interface DraftStore<T> {
  /** `null` also if the stored value can't be read. */
  read(userId: string, storage?: DraftStorage): T | null;
  store(userId: string, draft: T, storage?: DraftStorage): void;
  clear(userId: string, storage?: DraftStorage): void;
}

/** A draft in the session storage, validated with `schema`. */
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
        // A draft that exceeds the quota stays in the page only; it is also too long to submit.
        if (!(error instanceof DOMException)) throw error;
        storage.removeItem(placeOf(userId));
      }
    },
    clear(userId, storage = sessionStorage) {
      storage.removeItem(placeOf(userId));
    },
  };
}
