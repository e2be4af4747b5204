/**
 * Remembers that this tab began a sign-in. Without it a callback is accepted only while nobody is signed in, so that
 * a link with somebody else's tokens cannot replace a session (login CSRF). Per tab, because a sign-in comes back in
 * the tab it left; good for 30 minutes, because a provider may ask for a password and a second factor on the way.
 */
const markerName = 'portal-sign-in-began';
const markerMs = 30 * 60_000;

export function beginFlow(now: number, storage: Storage = window.sessionStorage): void {
  storage.setItem(markerName, String(now));
}

export function endFlow(storage: Storage = window.sessionStorage): void {
  storage.removeItem(markerName);
}

/** Whether this tab began a sign-in within the last 30 minutes. `now` in milliseconds since the epoch. */
export function hasBegunFlow(now: number, storage: Storage = window.sessionStorage): boolean {
  const began = Number(storage.getItem(markerName) ?? Number.NaN);
  return now - began >= 0 && now - began < markerMs;
}
