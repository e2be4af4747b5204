import { expect, test } from '@jest/globals';
import { rangeOf } from './usage.range.js';

const now = Date.parse('2026-05-05T12:00:00.000Z');

test('the range defaults to the 24 hours up to and including now', () => {
  expect(rangeOf({}, now)).toEqual({ from: now + 1 - 24 * 3_600_000, to: now + 1 });
});

test('the missing end of a range follows from the given one', () => {
  expect(rangeOf({ from: '2026-05-01T00:00:00Z' }, now).to).toBe(now + 1);
  expect(rangeOf({ to: '2026-05-01T00:00:00+02:00' }, now)).toEqual({
    from: Date.parse('2026-04-29T22:00:00Z'),
    to: Date.parse('2026-04-30T22:00:00Z'),
  });
});

test('a range of 400 days is allowed, one millisecond more is refused', () => {
  const from = new Date(now - 400 * 24 * 3_600_000).toISOString();
  expect(rangeOf({ from, to: new Date(now).toISOString() }, now).to).toBe(now);
  expect(() => rangeOf({ from, to: new Date(now + 1).toISOString() }, now)).toThrow('the maximum is 400');
});
