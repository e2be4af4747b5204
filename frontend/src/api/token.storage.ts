import { storageKeys } from '@orange-id/contract/storage.keys';
import { isClearedAtSignOut } from '@orange-id/contract/storage.keys';

/** The stored tokens of a session; `null` if not stored. */
export interface SessionTokens {
  accessToken: string | null;
  refreshToken: string | null;
}

const listeners = new Set<() => void>();
const announce = () => listeners.forEach((listener) => listener());

/** The state inside `passport-token`; an unreadable value counts as nothing stored. */
function passportState(storage: Storage): { accessToken?: unknown; refreshToken?: unknown } {
  try {
    const stored = JSON.parse(storage.getItem(storageKeys.passportToken) ?? '{}') as {
      state?: object;
    } | null;
    return stored?.state ?? {};
  } catch {
    return {};
  }
}

const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** The stored access token: `accessToken`, otherwise the one inside `passport-token`. */
export function readAccessToken(storage: Storage = window.localStorage): string | null {
  return (
    textOrNull(storage.getItem(storageKeys.accessToken)) ?? textOrNull(passportState(storage).accessToken)
  );
}

/** The stored refresh token: `refreshToken`, otherwise the one inside `passport-token`. */
export function readRefreshToken(storage: Storage = window.localStorage): string | null {
  return (
    textOrNull(storage.getItem(storageKeys.refreshToken)) ?? textOrNull(passportState(storage).refreshToken)
  );
}

/**
 * Both stored tokens, for deciding about the session; `null` outside a browser. An unreadable `passport-token` counts
 * as the access token, so that the session clears it; it is never sent.
 */
export const readTokens = (
  storage: Storage | undefined = globalThis.window?.localStorage,
): SessionTokens => ({
  accessToken: storage ? (readAccessToken(storage) ?? unreadablePassport(storage)) : null,
  refreshToken: storage ? readRefreshToken(storage) : null,
});

/** The text under `passport-token` if it isn't JSON; otherwise `null`. */
function unreadablePassport(storage: Storage): string | null {
  const text = storage.getItem(storageKeys.passportToken);
  if (text === null) return null;
  try {
    JSON.parse(text);
    return null;
  } catch {
    return text;
  }
}

/** Stores the tokens of a sign-in under all three names, in the shape that the identity client persists. */
export function storeTokens(
  tokens: { accessToken: string; refreshToken: string | null },
  storage: Storage = window.localStorage,
): void {
  const { accessToken, refreshToken } = tokens;
  storage.setItem(
    storageKeys.passportToken,
    JSON.stringify({ state: { accessToken, refreshToken }, version: 0 }),
  );
  if (refreshToken === null) storage.removeItem(storageKeys.refreshToken);
  else storage.setItem(storageKeys.refreshToken, refreshToken);
  storage.setItem(storageKeys.accessToken, accessToken);
  announce();
}

/** Removes only `accessToken` and `passport-token`, after a 401 or 403 of the user request. */
export function dropTokens(storage: Storage = window.localStorage): void {
  storage.removeItem(storageKeys.accessToken);
  storage.removeItem(storageKeys.passportToken);
  announce();
}

/** Removes the session's keys on sign-out; `source` and `submittedProjects` stay. */
export function clearSession(storage: Storage = window.localStorage): void {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const name of names) if (name !== null && isClearedAtSignOut(name)) storage.removeItem(name);
  announce();
}

/**
 * Calls `listener` when the stored tokens may have changed, in this or another tab; returns the unsubscribe function.
 */
export function subscribeTokens(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key === null || isClearedAtSignOut(event.key)) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
