import { expect, test } from '@jest/globals';
import { endLabels, markLabels } from './calls.axis';

const hour = 3_600;
/** A local time, as on the axis, in seconds since the epoch. */
const at = (day: number, hours = 0, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime() / 1000;
const range = (from: number, to: number, endsNow = true) => ({ from, to, endsNow });

test.each([
  ['an hour', range(at(23, 9, 45), at(23, 10, 45)), ['09:45', 'Now']],
  ['24 hours', range(at(22, 10, 45), at(23, 10, 45)), ['22 Nov, 10:45', 'Now']],
  ['7 days', range(at(16, 6), at(23, 12)), ['16 Nov', 'Now']],
  ['an hour of the past', range(at(21, 9), at(21, 10), false), ['09:00', '10:00']],
  ['a night of the past', range(at(21, 22), at(22, 4), false), ['21 Nov, 22:00', '22 Nov, 04:00']],
  ['two days and a bit of the past', range(at(21, 20), at(24), false), ['21 Nov, 20:00', '24 Nov']],
  ['a week of the past', range(at(1), at(8), false), ['1 Nov', '8 Nov']],
  ['a year of the past', range(at(1), at(1 + 365), false), ['1 Nov', '1 Nov']],
])('the axis of %s has labels for its start and end', (_, shown, labels) => {
  expect(endLabels(shown)).toEqual(labels);
});

const midnights = [17, 18, 19, 20, 21, 22, 23].map((day) => at(day));
test.each([
  ['a wide', 1_100, ['17 Nov', '18 Nov', '19 Nov', '20 Nov', '21 Nov', '22 Nov', '23 Nov']],
  ['a narrow', 250, ['', '', '19 Nov', '20 Nov', '21 Nov', '', '']],
])('on %s axis no mark’s label touches an end’s label', (_, width, labels) => {
  expect(markLabels(midnights, 24 * hour, range(at(16, 6), at(23, 12)), width)).toEqual(labels);
});

test('a mark at midnight shows the date, and any other mark the time', () => {
  const shown = range(at(22, 10, 45), at(23, 10, 45));
  const marks = [at(22, 12), at(22, 18), at(23), at(23, 6)];
  expect(markLabels(marks, 6 * hour, shown, 1_100)).toEqual(['', '18:00', '23 Nov', '06:00']);
});
