import type { ErrorCode } from '@orange-id/contract/error.codes';
import { expect, test } from '@jest/globals';
import { errorAdvice, errorCause, outcomeSentence } from './error.text';

test.each([
  ['key.replaced', 'Rejected: this key was replaced'],
  ['key.deleted', 'Rejected: this key was deleted'],
  ['key.expired', 'Rejected: this key has expired'],
  [undefined, 'Rejected: this key was replaced or deleted'],
])('a call with a revoked key and the code %s says what happened to the key', (errorCode, sentence) => {
  expect(outcomeSentence({ outcome: 'revoked', ...(errorCode ? { errorCode } : {}) })).toBe(sentence);
});

test.each(Object.entries(errorAdvice))(
  'the cause and the advice for %s are whole sentences',
  (code, advice) => {
    for (const text of [errorCause(code as ErrorCode), advice]) expect(text).toMatch(/^[A-Z].* .*\w\.$/);
  },
);

test('every code has the cause and the advice of its snapshot', () => {
  const codes = Object.keys(errorAdvice) as ErrorCode[];
  expect(
    codes.map((code) => `${code}: ${errorCause(code)} ${errorAdvice[code]}`).join('\n'),
  ).toMatchSnapshot();
});
