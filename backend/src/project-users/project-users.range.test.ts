import { describe, expect, test } from '@jest/globals';
import { barsOf, dayRangeOf, firstKeptDay } from './project-users.range.js';

const now = Date.parse('2026-03-31T23:59:59.999Z');

describe('the range of a project’s users', () => {
  test('is the 30 UTC days up to today by default', () => {
    expect(dayRangeOf({}, now)).toEqual({ from: '2026-03-02', to: '2026-03-31', bucketDays: 1 });
    expect(dayRangeOf({ to: '2024-03-01' }, now).from).toBe('2024-02-01');
  });

  test('has a bar per day, or per week above 92 days, the last one maybe shorter', () => {
    expect(barsOf(dayRangeOf({ from: '2026-02-27', to: '2026-03-01' }, now))).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    const days = dayRangeOf({ from: '2025-12-30', to: '2026-03-31' }, now);
    expect([days.bucketDays, barsOf(days).length]).toEqual([1, 92]);
    const weeks = dayRangeOf({ from: '2025-12-29', to: '2026-03-31' }, now);
    expect([weeks.bucketDays, barsOf(weeks).length, barsOf(weeks).at(-1)]).toEqual([7, 14, '2026-03-30']);
  });

  test('begins with the first day that is kept, and is refused if it ends before', () => {
    expect(firstKeptDay(0, now)).toBeNull();
    expect(firstKeptDay(3, now)).toBe('2025-12-01');
    const given = { from: '2025-10-01', to: '2025-12-02' };
    expect(dayRangeOf(given, now, '2025-12-01')).toMatchObject({ from: '2025-12-01', to: '2025-12-02' });
    expect(() => dayRangeOf({ to: '2025-11-30' }, now, '2025-12-01')).toThrow(
      expect.objectContaining({ message: expect.stringContaining('before 2025-12-01 are no longer kept') }),
    );
  });

  test.each([
    { from: '2026-03-02', to: '2026-03-01' },
    { from: '2027-01-01' },
    { from: '2025-01-01', to: '2026-03-31' },
  ])('is refused if it is %j', (given) => {
    expect(() => dayRangeOf(given, now)).toThrow(expect.objectContaining({ code: 'request.invalid' }));
  });
});
