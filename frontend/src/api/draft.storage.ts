import { z } from 'zod';
import { parseJson } from './json.text';

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * What somebody has typed and not yet sent, kept for this tab and this user under a name: a reload, a visit to another
 * page and a sign-out lose nothing of it.
 */
export interface DraftStore<T> {
  /** Anything unreadable, or somebody else's, counts as none. */
  read(userId: string, storage?: DraftStorage): T | null;
  store(userId: string, draft: T, storage?: DraftStorage): void;
  clear(storage?: DraftStorage): void;
}

/** A draft's place in the session storage; `schema` is its shape. */
export function draftStore<T>(name: string, schema: z.ZodType<T>): DraftStore<T> {
  const stored = z.object({ userId: z.string(), draft: schema });
  return {
    read(userId, storage = sessionStorage) {
      const parsed = stored.safeParse(parseJson(storage.getItem(name) ?? ''));
      return parsed.success && parsed.data.userId === userId ? parsed.data.draft : null;
    },
    store(userId, draft, storage = sessionStorage) {
      try {
        storage.setItem(name, JSON.stringify({ userId, draft }));
      } catch (error) {
        // A draft too large to keep stays in the page; no rule would let it be sent anyway.
        if (!(error instanceof DOMException)) throw error;
        storage.removeItem(name);
      }
    },
    clear(storage = sessionStorage) {
      storage.removeItem(name);
    },
  };
}
