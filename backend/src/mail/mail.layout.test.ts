import { describe, expect, test } from '@jest/globals';
import {
  confirmMail,
  contactReplacedMail,
  methodChangedMail,
  newAccountMail,
  passwordChangedMail,
  resetMail,
} from '../identity/mails/email.mails.js';
import { renderMail } from './mail.layout.js';

const href = 'https://portal.example.com/login?a=1&b="><script>alert(1)</script>';
const hostile = `"><img src=x onerror=alert(1)>'<style>*{}</style>]]>&lt;`;
const at = new Date('2026-02-03T10:20:00Z');
const link = 'https://portal.example.com/login';
const email = 'ada@example.com';

describe('an email', () => {
  test('contains every text as plain text, whoever wrote it', () => {
    const { html } = renderMail({
      title: hostile,
      preview: hostile,
      before: [hostile],
      button: { href, text: hostile },
      after: [hostile],
    });
    expect(html.split('<style>')).toHaveLength(2);
    expect(html).not.toMatch(/<script|<img(?! src="cid:)/);
    expect(html).toContain('href="https://portal.example.com/login?a=1&amp;b=&quot;&gt;&lt;script&gt;');
    expect(html.split('&quot;&gt;&lt;img src=x')).toHaveLength(7);
  });

  test.each([
    ['confirmation', confirmMail({ email, href: link })],
    ['reset', resetMail({ email, href: link })],
    ['changed password', passwordChangedMail({ email, at, href: link, by: 'link', endedKeys: 2 })],
    ['new account', newAccountMail({ email, at, href: link })],
    [
      'added method',
      methodChangedMail({ email, at, href: link, action: 'added', method: 'a Google account' }),
    ],
    ['replaced contact', contactReplacedMail({ email, at, href: link })],
  ])(
    'says the same as text and as HTML, and shows its button’s address: %s',
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
      expect(shown.filter((part) => part === link)).toHaveLength(1);
    },
  );

  test('breaks an email address that doesn’t fit on a line before its @, not after a hyphen', () => {
    const { html } = confirmMail({ email: 'ada-king@example-mail.com', href: link });
    expect(html).toContain(
      '<span class="email">ada-king</span><wbr><span class="email">@example-mail.com</span>',
    );
    expect(html).toMatch(/\.email \{ [^}]*display: inline-block/);
  });

  test('has dark colours wherever it has light ones', () => {
    const { html } = confirmMail({ email, href: link });
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    for (const [tag] of html.matchAll(/<(?!td bgcolor|a )[^>]*(?:color|background):#[^>]*>/g)) {
      expect(tag).toMatch(/class="(?:page|card|text|quiet|line)"/);
    }
  });
});
