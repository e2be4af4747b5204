import { expect, test } from '@jest/globals';
import { outcomeSentence } from './error.text';

test.each([
  ['key.replaced', 'Rejected: this key was replaced'],
  ['key.deleted', 'Rejected: this key was deleted'],
  ['key.expired', 'Rejected: this key has expired'],
  [undefined, 'Rejected: this key was replaced or deleted'],
])('a call with a revoked key and the code %s says what happened to the key', (errorCode, sentence) => {
  expect(outcomeSentence({ outcome: 'revoked', ...(errorCode ? { errorCode } : {}) })).toBe(sentence);
});
