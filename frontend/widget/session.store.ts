import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { isTokenExpired } from '@orange-id/contract/token.rule';
import { isRecord } from './is.record';
import type { LoginTokens } from './login.types';

/** The session stored in this browser, if it has not expired. */
export interface StoredSession {
  tokens: LoginTokens | null;
  user: IdentityUser | null;
}

const signedOut: StoredSession = { tokens: null, user: null };
const ownPrefix = 'passport-';

/** The `state` of a persisted object `{"state":…,"version":0}`; `null` if missing or unreadable. */
function readState(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  try {
    const persisted: unknown = JSON.parse(text);
    return isRecord(persisted) && isRecord(persisted.state) ? persisted.state : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readTokens(text: string | null): LoginTokens | null {
  const state = readState(text);
  if (typeof state?.accessToken !== 'string' || typeof state.refreshToken !== 'string') return null;
  return state.accessToken === ''
    ? null
    : { accessToken: state.accessToken, refreshToken: state.refreshToken };
}

function readUser(text: string | null): IdentityUser | null {
  const user = readState(text)?.user;
  return isRecord(user) && typeof user.id === 'string' ? (user as IdentityUser) : null;
}

/**
 * The session in `passport-token` and `passport-user`, in the persisted form of the identity client. Subscribers are
 * notified of changes made here and, through the storage event, in other tabs. `now` returns ms since the epoch.
 */
export function createSessionStore(
  storage: Storage,
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  now: () => number = Date.now,
) {
  const listeners = new Set<() => void>();
  let snapshot = signedOut;
  let texts: [string | null, string | null] = [null, null];

  /** Returns the same object until the stored values change, as `useSyncExternalStore` requires. */
  function read(): StoredSession {
    const stored: typeof texts = [
      storage.getItem(storageKeys.passportToken),
      storage.getItem(storageKeys.passportUser),
    ];
    if (stored[0] !== texts[0] || stored[1] !== texts[1]) {
      texts = stored;
      snapshot = { tokens: readTokens(stored[0]), user: readUser(stored[1]) };
    }
    return snapshot.tokens && isTokenExpired(snapshot.tokens.accessToken, now()) ? signedOut : snapshot;
  }

  const notify = (): void => listeners.forEach((listener) => listener());
  const persist = (key: string, state: unknown): void =>
    storage.setItem(key, JSON.stringify({ state, version: 0 }));

  return {
    read,
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) page.addEventListener('storage', notify);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) page.removeEventListener('storage', notify);
      };
    },
    begin(tokens: LoginTokens, user: IdentityUser): void {
      persist(storageKeys.passportToken, tokens);
      persist(storageKeys.passportUser, { user });
      notify();
    },
    keepUser(user: IdentityUser): void {
      persist(storageKeys.passportUser, { user });
      notify();
    },
    end(): void {
      for (const key of Object.keys(storage)) if (key.startsWith(ownPrefix)) storage.removeItem(key);
      notify();
    },
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;
