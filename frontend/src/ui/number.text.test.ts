import { expect, test } from '@jest/globals';
import { formatShare } from './number.text';

test.each([
  [0, 0, '0%'],
  [0, 10, '0%'],
  [21, 1000, '2.1%'],
  [1, 1_000_000, '< 0.1%'],
  [5, 5, '100%'],
])('the share %s of %s is shown as %s', (part, of, text) => {
  expect(formatShare(part, of)).toBe(text);
});
