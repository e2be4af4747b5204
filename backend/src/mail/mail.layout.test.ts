import { describe, expect, test } from '@jest/globals';
import { confirmMail } from '../identity/mails/email.mails.js';
import { renderMail } from './mail.layout.js';

const href = 'https://portal.example.com/login?a=1&b="><script>alert(1)</script>';
const hostile = `"><img src=x onerror=alert(1)>'<style>*{}</style>]]>&lt;`;
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
