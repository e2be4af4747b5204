import { expect, test } from '@jest/globals';
import { isComposing, shortcutLetter } from './typed.key.js';

test.each([
  ['k', 'KeyK', 'k'],
  ['K', 'KeyK', 'k'],
  ['л', 'KeyK', 'k'],
  ['Λ', 'KeyL', 'l'],
  ['ㅏ', 'KeyK', 'k'],
  // Latin letters elsewhere than on QWERTY count as what they say.
  ['k', 'KeyV', 'k'],
  ['t', 'KeyK', 't'],
  ['Enter', 'Enter', 'enter'],
  ['1', 'Digit1', '1'],
  ['k', '', 'k'],
])('the key %s at %s is the shortcut letter %s', (key, code, letter) => {
  expect(shortcutLetter({ key, code })).toBe(letter);
});

test('key presses of an input method are recognised, also as Safari sends them', () => {
  expect(isComposing({ isComposing: true, keyCode: 13 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
});
