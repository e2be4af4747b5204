import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { signInMethods } from '@orange-id/contract/sign-in.methods';

/** The page where users confirm, add and remove sign-in methods. */
export const linkingPath = '/login?from=profile';

/** The document title of that page. */
export const linkingTitle = 'Sign-in methods';

/** Whether the query of `/login` asks for linking another method instead of signing in. */
export const isLinking = (query: URLSearchParams): boolean => query.get('from') === 'profile';

/** The pages that linking starts from and returns to. */
const starts = ['/profile', '/settings'] as const;
export type LinkingStart = (typeof starts)[number];

/**
 * What a page passes to the linking page: a method to add or remove, a wallet to connect, and the page to return to.
 */
export interface LinkingRequest {
  /** Defaults to the profile. */
  from?: LinkingStart;
  add?: SignInMethod['provider'];
  remove?: { provider: string; label: string };
  wallet?: string;
  /** Set if the user only confirms it's them, in order to delete the account. */
  confirm?: 'deletion';
}

/** Reads the request from the state of a history entry, which can contain anything. */
export function linkingRequest(state: unknown): LinkingRequest {
  const { from, add, remove, wallet, confirm } = (state ?? {}) as Record<keyof LinkingRequest, unknown>;
  const { provider, label } = (remove ?? {}) as Record<string, unknown>;
  const start = starts.find((path) => path === from);
  const method = signInMethods.find((name) => name === add);
  return {
    ...(start ? { from: start } : {}),
    ...(method ? { add: method } : {}),
    ...(typeof provider === 'string' && typeof label === 'string' ? { remove: { provider, label } } : {}),
    ...(typeof wallet === 'string' ? { wallet } : {}),
    ...(confirm === 'deletion' ? { confirm } : {}),
  };
}

/** What the linking page passes back once the user has confirmed. */
export const deletionConfirmed = { confirmed: 'deletion' } as const;

/** Whether the state of a history entry says so. */
export const isDeletionConfirmed = (state: unknown): boolean =>
  (state as { confirmed?: unknown } | null)?.confirmed === deletionConfirmed.confirmed;

const startName = 'portal-linking-start';

/**
 * The page where linking started: the one in the link, otherwise the profile. After a reload or a visit to a provider's
 * page there is no link state, so the page stored for this tab applies.
 */
export function linkingStart(
  state: unknown,
  navigation: 'POP' | 'PUSH' | 'REPLACE',
  storage: Storage = window.sessionStorage,
): LinkingStart {
  return linkingRequest(state).from ?? (navigation === 'PUSH' ? '/profile' : readStart(storage));
}

/** Stores the page where linking started for the callback page, which opens after pages of other sites. */
export function keepLinkingStart(start: LinkingStart, storage: Storage = window.sessionStorage): void {
  storage.setItem(startName, start);
}

/** The page that linking returns to when it is done; clears it. */
export function takeLinkingStart(storage: Storage = window.sessionStorage): LinkingStart {
  const start = readStart(storage);
  storage.removeItem(startName);
  return start;
}

const readStart = (storage: Storage): LinkingStart =>
  starts.find((path) => path === storage.getItem(startName)) ?? '/profile';

const returnName = 'portal-linking-return';

/** Stores for the callback page whether the sign-in that starts in this tab returns to the sign-in methods. */
export function keepLinkingReturn(isWanted: boolean, storage: Storage = window.sessionStorage): void {
  if (isWanted) storage.setItem(returnName, 'yes');
  else storage.removeItem(returnName);
}

/** Whether the sign-in that this tab started returns to the sign-in methods; clears it. */
export function takeLinkingReturn(storage: Storage = window.sessionStorage): boolean {
  const isWanted = storage.getItem(returnName) !== null;
  storage.removeItem(returnName);
  return isWanted;
}

const wantedName = 'portal-linking-method';

/** Stores the method to add while the user confirms with Google or Apple, whose pages return without it. */
export function keepWantedMethod(
  method: SignInMethod['provider'],
  storage: Storage = window.sessionStorage,
): void {
  storage.setItem(wantedName, method);
}

export function forgetWantedMethod(storage: Storage = window.sessionStorage): void {
  storage.removeItem(wantedName);
}

/**
 * The method to add: the one in the link, otherwise the stored one. A page opened by a link (`PUSH`) ignores the stored
 * one.
 */
export function wantedMethod(
  state: unknown,
  navigation: 'POP' | 'PUSH' | 'REPLACE',
  storage: Storage = window.sessionStorage,
): SignInMethod['provider'] | null {
  const noted = navigation === 'PUSH' ? null : storage.getItem(wantedName);
  return linkingRequest(state).add ?? signInMethods.find((name) => name === noted) ?? null;
}
