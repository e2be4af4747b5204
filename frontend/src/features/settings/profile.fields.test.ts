import { expect, test } from '@jest/globals';
import { assertAcceptable, fieldSentence } from './profile.fields';

test.each([
  ['displayName', 'Ada'],
  ['displayName', 'Łódź 🍊'],
  ['displayName', 'a'.repeat(80)],
  ['email', 'ada@example.com'],
] as const)('%s takes %j', (field, value) => {
  expect(() => assertAcceptable(field, value)).not.toThrow();
});

test.each([
  ['displayName', '', 'Display Name must not be empty.'],
  ['displayName', 'a'.repeat(81), 'Display Name must have at most 80 characters.'],
  ['displayName', 'A\u202eda', 'Display Name must not hold invisible or control characters.'],
  ['email', '', 'Please enter an email address such as name@example.com.'],
  ['email', 'ada@', 'Please enter an email address such as name@example.com.'],
] as const)('%s refuses %j', (field, value, sentence) => {
  expect(() => assertAcceptable(field, value)).toThrow(sentence);
});

test("a server's own sentence passes as it is", () => {
  expect(fieldSentence('email', 'Another account uses this e-mail')).toBe('Another account uses this e-mail');
});
