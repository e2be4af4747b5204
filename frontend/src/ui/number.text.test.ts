import { expect, test } from '@jest/globals';
import { formatBytes, formatShare } from './number.text';

test.each([
  [0, 0, '0%'],
  [0, 10, '0%'],
  [21, 1000, '2.1%'],
  [1, 1_000_000, '< 0.1%'],
  [5, 5, '100%'],
])('the share %s of %s is shown as %s', (part, of, text) => {
  expect(formatShare(part, of)).toBe(text);
});

test.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [6_581, '6.6 kB'],
  [2_000, '2 kB'],
  [999_949, '999.9 kB'],
  [7 * 2 ** 20 - 1, '6.9 MB'],
  [7 * 2 ** 20, '7 MB'],
])('a size of %s bytes reads %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
