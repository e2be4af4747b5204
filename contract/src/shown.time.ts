/** Lengths in seconds, with their abbreviations. */
export const timeUnits = [
  [365 * 86_400, 'y'],
  [30 * 86_400, 'mo'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/**
 * `now`, `8 s ago`, `3 min ago`, `2 h ago`, `5 d ago`, `2 mo ago`, `1 y ago`, in whole units; a time in the future
 * counts as now. `nowMs` is in ms since the epoch.
 */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return iso;
  const unit = timeUnits.find(([length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[0])} ${unit[1]} ago` : 'now';
}

const exactIn = (timeZone?: string) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone ? { timeZone } : {}),
  });
// Created once, because lists format hundreds of times a second and a formatter is expensive to create and to collect.
const exact = exactIn();

/** The exact time with its zone, such as `21 Nov 2025, 10:53:07 UTC`. */
export function absoluteTime(iso: string, timeZone?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return (timeZone ? exactIn(timeZone) : exact).format(date);
}
