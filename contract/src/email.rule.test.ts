import { expect, test } from '@jest/globals';
import { asciiDomain, splitAtEmails } from './email.rule.js';
import { emailAddress, emailLogin, emailRegister, passwordReset } from './identity.schema.js';
import { profileUpdate } from './profile.schema.js';

test.each([
  ['no address here', ['no address here']],
  ['', ['']],
  ['n-1@example.com', ['', 'n-1@example.com', '']],
  ['We wrote to a@b.de and c.d@e.com.', ['We wrote to ', 'a@b.de', ' and ', 'c.d@e.com', '.']],
  ['the account (a@b.de), made today', ['the account (', 'a@b.de', '), made today']],
  ['<b>@c.de', ['<b>@c.de']],
  ['@ alone, and a@', ['@ alone, and a@']],
])('%j is split at its emails, and the joined parts equal the text', (text, parts) => {
  expect(splitAtEmails(text)).toEqual(parts);
  expect(splitAtEmails(text).join('')).toBe(text);
});

test.each([
  ['user@bücher.example', 'user@xn--bcher-kva.example'],
  ['User@BÜCHER.Example', 'User@xn--bcher-kva.example'],
  ['user@bu\u0308cher.example', 'user@xn--bcher-kva.example'],
  ['user@例え。テスト', 'user@xn--r8jz45g.xn--zckzah'],
  ['user@почта.рф', 'user@xn--80a1acny.xn--p1ai'],
  ['user@ｅｘａｍｐｌｅ.com', 'user@example.com'],
  ['user@mail.straße.de', 'user@mail.xn--strae-oqa.de'],
  ['user@xn--bcher-kva.example', 'user@xn--bcher-kva.example'],
  ['user@Example.COM', 'user@example.com'],
])('the address %s is stored as %s, in every field for one', (typed, stored) => {
  expect(emailAddress.parse(` ${typed} `)).toBe(stored);
  const password = 'a long enough password';
  expect(emailLogin.parse({ email: typed, password }).email).toBe(stored);
  expect(emailRegister.parse({ email: typed, password, passwordConfirm: password }).email).toBe(stored);
  expect(passwordReset.parse({ email: typed }).email).toBe(stored);
  expect(profileUpdate.parse({ email: typed }).email).toBe(stored);
});

test.each([
  'user@bü/cher.example',
  'user@bü:80.example',
  'user@bü@cher.example',
  'user@bü cher.example',
  'user@bü%41.example',
  'user@bü..example',
  'user@-ü',
  'user@ü',
  'user@１.２.３.４',
  'user@a\u200bü.example',
  'jörg@example.com',
  `user@${'ü'.repeat(64)}.example`,
  `user@${'ü.'.repeat(120)}example`,
])('%s is no email address', (typed) => {
  expect(emailAddress.safeParse(typed).success).toBe(false);
});

test('a domain without an ASCII form stays as typed', () => {
  expect(asciiDomain('bü/cher')).toBe('bü/cher');
  expect(asciiDomain('ü'.repeat(300))).toBe('ü'.repeat(300));
});
