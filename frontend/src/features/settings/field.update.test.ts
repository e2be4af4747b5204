import { expect, test } from '@jest/globals';
import { fieldSentence, updateOf } from './field.update';

test.each([
  ['displayName', 'Ada', { displayName: 'Ada' }],
  ['displayName', 'Łódź 🍊', { displayName: 'Łódź 🍊' }],
  ['displayName', 'a'.repeat(80), { displayName: 'a'.repeat(80) }],
  ['username', 'ada', { userName: 'ada' }],
  ['username', '@ada', { userName: 'ada' }],
  ['username', '', { userName: '' }],
  ['bio', 'One line\nand another', { displayDesc: 'One line\nand another' }],
  ['bio', '', { displayDesc: '' }],
  ['email', 'ada@example.com', { email: 'ada@example.com' }],
  ['email', `${'a'.repeat(64)}@example.com`, { email: `${'a'.repeat(64)}@example.com` }],
  ['location', 'Italy', { country: 'Italy' }],
  ['location', '', { country: '' }],
] as const)('the %s %j is sent as %j', (field, value, update) => {
  expect(updateOf(field, value)).toEqual(update);
});

test.each([
  ['displayName', '', 'Enter a display name.'],
  ['displayName', 'a'.repeat(81), 'Display Name must have at most 80 characters.'],
  ['displayName', 'A\u202eda', 'Display Name must not contain invisible or control characters.'],
  ['username', 'a'.repeat(41), 'Username must have at most 40 characters.'],
  ['username', '@', 'Username must use only letters a–z, digits, dots, hyphens and underscores.'],
  ['username', 'ada lovelace!', 'Username must use only letters a–z, digits, dots, hyphens and underscores.'],
  ['username', 'a\u200bda', 'Username must not contain invisible or control characters.'],
  ['bio', 'a'.repeat(1001), 'Bio must have at most 1,000 characters.'],
  ['bio', 'a\u202eb', 'Bio must not contain control characters.'],
  ['email', '', 'Enter an email like name@example.com.'],
  ['email', `${'a'.repeat(65)}@example.com`, 'Email must have at most 64 characters before the @.'],
  ['email', 'a'.repeat(65), 'Enter an email like name@example.com.'],
  ['email', 'ada@', 'Enter an email like name@example.com.'],
] as const)('the %s %j is invalid', (field, value, sentence) => {
  expect(() => updateOf(field, value)).toThrow(sentence);
});

test('a whole sentence from the server is shown without the field’s label and ends with one full stop', () => {
  for (const message of ['Another account uses this email', 'Another account uses this email.'])
    expect(fieldSentence('email', message)).toBe('Another account uses this email.');
});
