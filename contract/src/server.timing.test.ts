import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readServerTiming, serverTimingOf } from './server.timing.js';

test('a response time is written in ms, to the microsecond', () => {
  expect(serverTimingOf(1.23456)).toBe('app;dur=1.235');
  expect(serverTimingOf(0)).toBe('app;dur=0.000');
  expect(readServerTiming('app;dur=1.235')).toBe(1.235);
});

test('a time that went through the 32-bit column of the table gives the same header', () => {
  fc.assert(
    fc.property(fc.float({ min: 0, max: 60_000, noNaN: true }), (stored) => {
      // PostgreSQL writes a `real` with the fewest digits that identify it.
      const read = Number(shortest(stored));
      return serverTimingOf(read) === serverTimingOf(stored);
    }),
  );
});

const shortest = (value: number): string => {
  for (let digits = 1; digits < 10; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(value);
};

test.each([null, '', 'app', 'app;dur=', 'db;dur=1.000', 'app;dur=1.000, db;dur=2', 'app;dur=-1.000'])(
  'the header %j contains no response time',
  (header) => expect(readServerTiming(header)).toBeNull(),
);
