import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { signInMethods } from '@orange-id/contract/sign-in.methods';

/** Where sign-in methods are proven, added and removed. */
export const linkingPath = '/login?from=profile';

/** What the browser's tab says of that page. */
export const linkingTitle = 'Sign-in methods';

/** Whether the query of `/login` asks for linking another method instead of signing in. */
export const isLinking = (query: URLSearchParams): boolean => query.get('from') === 'profile';

/** The pages that linking begins on, and goes back to. */
const starts = ['/profile', '/settings'] as const;
export type LinkingStart = (typeof starts)[number];

/** What a page asks of the linking page: a method to add or remove, a wallet to connect, to be led back to itself. */
export interface LinkingWish {
  /** The profile if left out. */
  from?: LinkingStart;
  add?: SignInMethod['provider'];
  remove?: { provider: string; label: string };
  wallet?: string;
}

/** The wish in the state of a history entry, which is whatever some page put there. */
export function linkingWish(state: unknown): LinkingWish {
  const { from, add, remove, wallet } = (state ?? {}) as Record<keyof LinkingWish, unknown>;
  const { provider, label } = (remove ?? {}) as Record<string, unknown>;
  const start = starts.find((path) => path === from);
  const method = signInMethods.find((name) => name === add);
  return {
    ...(start ? { from: start } : {}),
    ...(method ? { add: method } : {}),
    ...(typeof provider === 'string' && typeof label === 'string' ? { remove: { provider, label } } : {}),
    ...(typeof wallet === 'string' ? { wallet } : {}),
  };
}

const startName = 'portal-linking-start';

/**
 * Where linking began: what the link that led here says, else the profile. A page that is reloaded or opened again by a
 * provider's page has no such link, and keeps what the tab noted.
 */
export function linkingStart(
  state: unknown,
  navigation: 'POP' | 'PUSH' | 'REPLACE',
  storage: Storage = window.sessionStorage,
): LinkingStart {
  return linkingWish(state).from ?? (navigation === 'PUSH' ? '/profile' : readStart(storage));
}

/** Notes it for the callback page, which comes after pages of other sites. */
export function keepLinkingStart(start: LinkingStart, storage: Storage = window.sessionStorage): void {
  storage.setItem(startName, start);
}

/** Where linking goes back to once it is done; says so once. */
export function takeLinkingStart(storage: Storage = window.sessionStorage): LinkingStart {
  const start = readStart(storage);
  storage.removeItem(startName);
  return start;
}

const readStart = (storage: Storage): LinkingStart =>
  starts.find((path) => path === storage.getItem(startName)) ?? '/profile';

const wantedName = 'portal-linking-method';

/** Notes the method to add while the user confirms with Google or Apple, whose pages lead back without it. */
export function keepWantedMethod(
  method: SignInMethod['provider'],
  storage: Storage = window.sessionStorage,
): void {
  storage.setItem(wantedName, method);
}

export function forgetWantedMethod(storage: Storage = window.sessionStorage): void {
  storage.removeItem(wantedName);
}

/** The method to add: the one that the link here names. A page opened by a link that names none has none. */
export function wantedMethod(
  state: unknown,
  navigation: 'POP' | 'PUSH' | 'REPLACE',
  storage: Storage = window.sessionStorage,
): SignInMethod['provider'] | null {
  const noted = navigation === 'PUSH' ? null : storage.getItem(wantedName);
  return linkingWish(state).add ?? signInMethods.find((name) => name === noted) ?? null;
}
