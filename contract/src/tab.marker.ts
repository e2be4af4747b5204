import { socialFlowSeconds } from './limits.js';

/**
 * Shows that a returning sign-in was started in this tab. When a sign-in starts, the tab stores a random value and
 * sends it as `tab`; the URL to which the sign-in returns carries the same value. An attacker's link cannot know the
 * value, so the page recognises tokens planted by such a link (login CSRF). Stored per tab, because a sign-in returns
 * to the tab that it left.
 */
export const tabParameter = 'tab';

const markerName = 'portal-sign-in-began';
const markerMs = socialFlowSeconds * 1000;

/** The tab's `sessionStorage`; by default nothing is kept. */
type TabStorage = Record<string, string>;

export const tabPattern = /^[\w-]{22}$/;

/** Whether `value` can be a marker. The server passes no other value on to a page. */
export const isTabValue = (value: unknown): value is string =>
  typeof value === 'string' && tabPattern.test(value);

/**
 * Marks the start of a sign-in in this tab, replacing an earlier one, and returns the value it comes back with. Without
 * storage the value is for a window that this page has opened.
 */
export function markTab(nowMs: number, storage: TabStorage = {}): string {
  const value = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22);
  storage[markerName] = `${value} ${nowMs}`;
  return value;
}

/** Takes the marker of the sign-in that this tab started within the last 30 minutes; null if there is none. */
export function takeTabMark(nowMs: number, storage: TabStorage = {}): string | null {
  const [, value, at] = /^([\w-]{22}) (\d+)$/.exec(storage[markerName] ?? '') ?? [];
  delete storage[markerName];
  const age = nowMs - Number(at);
  return value && age >= 0 && age < markerMs ? value : null;
}
