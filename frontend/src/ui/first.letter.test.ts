import { expect, test } from '@jest/globals';
import { firstLetter } from './first.letter';

test.each([
  ['ada', 'A'],
  ['  ada', 'A'],
  ['éva', 'É'],
  ['e\u0301va', 'E\u0301'],
  ['👩‍👩‍👧 and co', '👩‍👩‍👧'],
  ['🇮🇹 Italia', '🇮🇹'],
  ['', ''],
])('the first letter of %j is %j', (text, letter) => {
  expect(firstLetter(text)).toBe(letter);
});
