import { expect, test } from '@jest/globals';
import { RateWindow } from './rate.window.js';

test('refuses calls over the limit within a second, per name, and resets with the next second', () => {
  const window = new RateWindow(2);
  const at = 1_700_000_000_000;
  expect([window.isOver('a', at), window.isOver('a', at + 999), window.isOver('a', at + 999)]).toEqual([
    false,
    false,
    true,
  ]);
  expect(window.isOver('b', at + 999)).toBe(false);
  expect(window.isOver('a', at + 1000)).toBe(false);
});
