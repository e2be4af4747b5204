import { expect, test } from '@jest/globals';
import { splitAtEmails } from './email.rule.js';

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
