import { expect, test } from '@jest/globals';
import {
  confirmMail,
  contactAskedMail,
  contactReplacedMail,
  methodChangedMail,
  newAccountMail,
  passwordChangedMail,
  resetMail,
} from './email.mails.js';

const link = { email: 'ada@example.com', href: 'https://id.example.org/link' };
const details = { ...link, at: new Date('2026-03-04T12:34:00.000Z') };
const method = 'the wallet 0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';

const mails = [
  ['the confirmation', confirmMail(link)],
  ['the reset', resetMail(link)],
  ['a password changed in Settings', passwordChangedMail({ ...details, by: 'change' })],
  ['a password reset by a link', passwordChangedMail({ ...details, by: 'link' })],
  ['a reset that ended one key', passwordChangedMail({ ...details, by: 'link', endedKeys: 1 })],
  ['a reset that ended two keys', passwordChangedMail({ ...details, by: 'link', endedKeys: 2 })],
  ['a new account', newAccountMail(details)],
  ['an added method', methodChangedMail({ ...details, action: 'added', method })],
  ['a removed method', methodChangedMail({ ...details, action: 'removed', method })],
  ['a contact email that is about to be replaced', contactAskedMail({ ...details, undo: link.href })],
  ['a replaced contact email', contactReplacedMail({ ...details, undo: link.href })],
  ['a contact email that was replaced for good', contactReplacedMail({ ...details, undo: null })],
] as const;

test.each(mails)('the email about %s has the content of its snapshot', (_, { subject, text, html }) => {
  const preview = /<div style="display:none[^>]*>([^<&]*)/.exec(html)?.[1];
  expect([subject, preview, text].join('\n\n')).toMatchSnapshot();
});

test.each(mails)(
  'the email about %s says the same as text and as HTML, and shows its button’s address',
  (_, { subject, text, html }) => {
    const [preview, ...shown] = html
      .replace(/<head>[^]*<\/head>|<!--[^]*?-->|<\/?span[^>]*>|<wbr>|&#847;|&zwnj;|&nbsp;/g, '')
      .split(/<[^>]*>/)
      .map((part) => part.trim())
      .filter((part) => part !== '');
    expect(preview).toMatch(/^[A-Z].{10,60}\.$/);
    const words = text.trim().split(/\n+/);
    expect(subject).toBe(`${words[0]} · Orange ID`);
    // Compared as sets, because the product name comes first in the HTML and last in the text.
    expect(new Set(shown)).toEqual(
      new Set([
        ...words.map((line) => line.replace(/^([^.]*):$/, '$1')),
        'Or paste this link into your browser:',
      ]),
    );
    expect(shown.filter((part) => part === link.href)).toHaveLength(1);
  },
);
