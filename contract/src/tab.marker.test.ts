import { describe, expect, test } from '@jest/globals';
import { isTabValue, markTab, takeTabMark } from './tab.marker.js';

const memory = (): Record<string, string> => ({});

const minute = 60_000;
const hour = 60 * minute;

describe('the marker of a sign-in started in a tab', () => {
  test('is found once, with the value it was created with', () => {
    const storage = memory();
    const value = markTab(hour, storage);
    expect(isTabValue(value)).toBe(true);
    expect(takeTabMark(hour, storage)).toBe(value);
    expect(takeTabMark(hour, storage)).toBeNull();
  });

  test('is valid for 30 minutes, and not before it was created', () => {
    const takenAt = (now: number) => {
      const storage = memory();
      markTab(hour, storage);
      return takeTabMark(now, storage);
    };
    expect(takenAt(hour + 30 * minute - 1)).not.toBeNull();
    expect(takenAt(hour + 30 * minute)).toBeNull();
    expect(takenAt(hour - 1)).toBeNull();
  });

  test('is replaced by that of the next sign-in', () => {
    const storage = memory();
    const first = markTab(hour, storage);
    const second = markTab(hour, storage);
    expect(second).not.toBe(first);
    expect(takeTabMark(hour, storage)).toBe(second);
  });

  test('has a value for a window of its own where nothing can be stored', () => {
    expect(isTabValue(markTab(hour))).toBe(true);
    expect(takeTabMark(hour)).toBeNull();
  });

  test('has a different value each time', () => {
    expect(new Set(Array.from({ length: 500 }, () => markTab(hour, memory()))).size).toBe(500);
  });

  test.each([
    '',
    'soon',
    'null',
    '[]',
    '{}',
    '3600000',
    ' 3600000',
    'short 3600000',
    'AAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAA ',
    'AAAAAAAAAAAAAAAAAAAAAA soon',
    'AAAAAAAAAAAAAAAAAAAAAA 3600000 ',
  ])('is not found in a stored %j', (text) => {
    const storage = memory();
    storage['portal-sign-in-began'] = text;
    expect(takeTabMark(hour, storage)).toBeNull();
    expect(storage).toEqual({});
  });
});

test.each([
  [undefined],
  [null],
  [''],
  ['A'.repeat(21)],
  ['A'.repeat(23)],
  [['A'.repeat(22)]],
  ['A&b=cAAAAAAAAAAAAAAAAA'],
])('%j is not a valid marker', (value) => {
  expect(isTabValue(value)).toBe(false);
});
