import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { readableHost } from './readable.host.js';

/** The host as `URL` prints it, and as every page gets it. */
const sent = (host: string): string => new URL(`https://${host}`).origin;

describe('readableHost', () => {
  test.each([
    'bücher.example',
    'www.größe-24.de',
    'phở.vn',
    'пример.рф',
    'ελλάδα.gr',
    '日本語ドメイン.jp',
    'ひらがな-漢字.jp',
    '한국.kr',
    'مثال.com',
    'דוגמה.co.il',
    'उदाहरण.भारत',
    'ตัวอย่าง.ไทย',
    'ශ්‍රීලංකා.lk',
    'պատմություն.am',
  ])('shows %s in its own letters', (host) => {
    expect(sent(host)).toContain('xn--');
    expect(readableHost(sent(host))).toBe(`https://${host}`);
  });

  test.each([
    ['Latin and Cyrillic', 'pаypal.com'],
    ['Latin and Greek', 'gοogle.com'],
    ['Latin and Han', 'apple丨.com'],
    ['Cyrillic and Greek', 'приμер.com'],
    ['Cyrillic letters that look like Latin ones', 'аррӏе.com'],
    ['the same with digits and a hyphen', 'сосо-24.com'],
    ['Greek letters that look like Latin ones', 'νικο.com'],
    ['a dotless i', 'lınkedin.com'],
    ['the Latin alpha', 'ɑpple.com'],
    ['a script that names do not use', 'ᎪᏢᏢ.com'],
    ['digits alone', '٣٤.com'],
    ['a symbol', 'i❤.ws'],
  ])('keeps the punycode of %s', (_kind, host) => {
    expect(sent(host)).toContain('xn--');
    expect(readableHost(sent(host))).toBe(sent(host));
  });

  test('decides on each label, and keeps scheme, wildcard and port', () => {
    const mixed = new URL('https://pаypal.com').hostname;
    expect(readableHost(`http://*.xn--bcher-kva.${mixed}:8080`)).toBe(`http://*.bücher.${mixed}:8080`);
    expect(readableHost('xn--bcher-kva.example')).toBe('bücher.example');
  });

  test.each([
    'https://xn--.com',
    'https://xn--a.com',
    'https://xn--999999999.com',
    'https://axn--bcher-kva.com',
    '',
  ])('keeps %s, which has no valid international label', (text) => {
    expect(readableHost(text)).toBe(text);
  });

  test('keeps any text that is no international host', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        if (!text.includes('xn--')) expect(readableHost(text)).toBe(text);
        expect(readableHost(`https://axn--${text}`)).toContain('https://axn--');
      }),
    );
  });

  test('shows a text that names the same host, and never letters of two alphabets in one label', () => {
    const alphabets = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Han}/u, /\p{sc=Arabic}/u];
    const letter = fc.constantFrom(...'abzéüоапяπωñ漢字カنب1-');
    const label = fc.oneof(
      fc.string({ unit: letter, minLength: 1, maxLength: 6 }),
      anyText({ maxLength: 6 }),
    );
    let readable = 0;
    fc.assert(
      fc.property(label, label, (first, second) => {
        const host = `https://${first}.${second}.com`;
        fc.pre(URL.canParse(host));
        const { origin } = new URL(host);
        const shown = readableHost(origin);
        expect(new URL(shown).origin).toBe(origin);
        if (shown !== origin) readable++;
        for (const part of shown.split('.')) {
          const isInternational = /[^ -~]/.test(part.replace('https://', ''));
          const used = alphabets.filter((alphabet) => alphabet.test(part.replace('https://', '')));
          if (isInternational) expect(used.length).toBeLessThan(2);
        }
      }),
      { numRuns: 300 },
    );
    expect(readable).toBeGreaterThan(0);
  });
});
