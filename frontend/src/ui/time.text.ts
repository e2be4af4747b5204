const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `3 minutes ago`, counted down to whole units; under a minute, or a little ahead of our clock, 'just now'. `nowMs` in ms since the epoch. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return iso;
  const step = steps.find(([, size]) => seconds >= size);
  return step ? relative.format(-Math.floor(seconds / step[1]), step[0]) : 'just now';
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
// Made once: lists write hundreds of times a second, and each formatter costs its making and, later, its disposal.
const exact = exactIn();

/** The exact time with its zone, such as `21 Nov 2025, 10:53:07 UTC`. */
export function absoluteTime(iso: string, timeZone?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return (timeZone ? exactIn(timeZone) : exact).format(date);
}
