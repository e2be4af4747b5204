import { storageKeys } from '@orange-id/contract/storage.keys';
import { isClearedAtSignOut } from '@orange-id/contract/storage.keys';

/** The two tokens of a session, as stored; `null` where nothing is stored. */
export interface SessionTokens {
  accessToken: string | null;
  refreshToken: string | null;
}

const listeners = new Set<() => void>();
const announce = () => listeners.forEach((listener) => listener());

/** The state inside `passport-token`; what cannot be read as such counts as nothing stored. */
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

/** The stored bearer: `accessToken`, otherwise the one inside `passport-token`. */
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
 * Both stored tokens at this moment, for deciding about the session; nothing where no browser is. A `passport-token` that cannot be read stands in
 * for the access token it hides: an unreadable token, which is to be cleared and never to be sent.
 */
export const readTokens = (
  storage: Storage | undefined = globalThis.window?.localStorage,
): SessionTokens => ({
  accessToken: storage ? (readAccessToken(storage) ?? unreadablePassport(storage)) : null,
  refreshToken: storage ? readRefreshToken(storage) : null,
});

/** The text under `passport-token` where it is not JSON; `null` where it is, or nothing is stored. */
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

/** Stores the tokens of a sign-in under the three names the spec gives, in the shape the identity client persists. */
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

/** Forgets `accessToken` and `passport-token` only: what a 401 or 403 of the user call asks for. */
export function dropTokens(storage: Storage = window.localStorage): void {
  storage.removeItem(storageKeys.accessToken);
  storage.removeItem(storageKeys.passportToken);
  announce();
}

/** Signing out: removes exactly the keys the spec lists; `source` and `submittedProjects` survive. */
export function clearSession(storage: Storage = window.localStorage): void {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const name of names) if (name !== null && isClearedAtSignOut(name)) storage.removeItem(name);
  announce();
}

/** Calls back when the stored tokens may have changed, here or in another tab; returns how to stop. */
export function subscribeTokens(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means the whole storage was cleared.
    if (event.key === null || isClearedAtSignOut(event.key)) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
