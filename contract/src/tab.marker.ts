import { limits } from './limits.js';

/**
 * Shows that a sign-in that comes back was begun in this tab. When it begins, the tab keeps a random value and sends it
 * along as `tab`; the address it comes back to carries the same value. A link that somebody else made cannot, so tokens
 * planted by one (login CSRF) are told apart. Kept per tab, because a sign-in comes back in the tab it left.
 */
export const tabParameter = 'tab';

const markerName = 'portal-sign-in-began';
const markerMs = limits.socialFlowSeconds * 1000;

interface TabStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** Whether `value` can be what a tab keeps. Anything else is not sent back to a page. */
export const isTabValue = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{22}$/.test(value);

/** Notes that a sign-in begins in this tab, in place of an earlier one, and answers the value it comes back with. */
export function markTab(nowMs: number, storage: TabStorage): string {
  const value = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22);
  storage.setItem(markerName, JSON.stringify({ value, at: nowMs }));
  return value;
}

/** The value of the sign-in that this tab began within the last 30 minutes, else null. It is used up by this. */
export function takeTabMark(nowMs: number, storage: TabStorage): string | null {
  const text = storage.getItem(markerName);
  storage.removeItem(markerName);
  const { value, at } = readMark(text);
  if (!isTabValue(value) || typeof at !== 'number') return null;
  return at <= nowMs && nowMs - at < markerMs ? value : null;
}

function readMark(text: string | null): { value?: unknown; at?: unknown } {
  try {
    return (JSON.parse(text ?? '{}') as { value?: unknown; at?: unknown } | null) ?? {};
  } catch {
    return {};
  }
}
