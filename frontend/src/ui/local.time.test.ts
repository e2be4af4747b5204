import { expect, test } from '@jest/globals';
import { clockChangeProblem } from './local.time';

/** The offset of a zone from UTC in minutes. */
const offsetIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  return (at: number) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  };
};

const berlinForward = 'doesn’t exist that day, because the clocks go forward from 02:00 to 03:00.';
const berlinBack =
  'exists twice that day, because the clocks go back from 03:00 to 02:00. Choose a time before 02:00 or from 03:00 on.';

test.each([
  ['Europe/Berlin', '2025-03-30T02:00', `02:00 ${berlinForward}`],
  ['Europe/Berlin', '2025-03-30 02:59', `02:59 ${berlinForward}`],
  ['Europe/Berlin', '2025-10-26T02:00', `02:00 ${berlinBack}`],
  ['Europe/Berlin', '2025-10-26T02:59', `02:59 ${berlinBack}`],
  [
    'Australia/Lord_Howe',
    '2025-10-05T02:15',
    '02:15 doesn’t exist that day, because the clocks go forward from 02:00 to 02:30.',
  ],
  [
    'America/New_York',
    '2025-11-02T01:30',
    '01:30 exists twice that day, because the clocks go back from 02:00 to 01:00. Choose a time before 01:00 or from 02:00 on.',
  ],
])('in %s, %s: %s', (zone, local, problem) => {
  expect(clockChangeProblem(local, offsetIn(zone))).toBe(problem);
});

test.each([
  ['Europe/Berlin', '2025-03-30T01:59'],
  ['Europe/Berlin', '2025-03-30T03:00'],
  ['Europe/Berlin', '2025-10-26T01:59'],
  ['Europe/Berlin', '2025-10-26T03:00'],
  ['Europe/Berlin', '2025-06-01T02:30'],
  ['Pacific/Kiritimati', '2025-03-30T02:30'],
  ['UTC', '2025-03-30T02:30'],
  ['Europe/Berlin', 'no time'],
])('in %s, %s is one time or none', (zone, local) => {
  expect(clockChangeProblem(local, offsetIn(zone))).toBeNull();
});
