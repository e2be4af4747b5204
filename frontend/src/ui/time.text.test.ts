import { expect, test } from '@jest/globals';
import { absoluteTime, relativeTime } from './time.text';

const now = Date.parse('2025-06-15T12:00:00.000Z');

test.each([
  ['2025-06-15T12:00:00.000Z', 'just now'],
  ['2025-06-15T12:00:09.000Z', 'just now'],
  ['2025-06-15T11:59:01.000Z', 'just now'],
  ['2025-06-15T11:59:00.000Z', '1 minute ago'],
  ['2025-06-15T11:00:01.000Z', '59 minutes ago'],
  ['2025-06-15T09:30:00.000Z', '2 hours ago'],
  ['2025-06-14T12:00:00.000Z', '1 day ago'],
  ['2025-04-15T12:00:00.000Z', '2 months ago'],
  ['2023-06-15T12:00:00.000Z', '2 years ago'],
  ['not a time', 'not a time'],
])('%s reads as %s', (iso, text) => {
  expect(relativeTime(iso, now)).toBe(text);
});

test('the exact time names its zone', () => {
  expect(absoluteTime('2025-06-15T12:00:07.000Z', 'UTC')).toBe('15 Jun 2025, 12:00:07 UTC');
});
