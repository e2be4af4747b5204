import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { checkName, hasControlCharacters, hasInvisibleCharacters, nameKey, tidyLine } from './text.rule.js';

describe('checkName', () => {
  test.each([
    ['Acme', { ok: true, name: 'Acme' }],
    ['  Acme   Games\t2 ', { ok: true, name: 'Acme Games 2' }],
    ['Acme\nGames', { ok: true, name: 'Acme Games' }],
    ['ＡＣＭＥ', { ok: true, name: 'ＡＣＭＥ' }],
    ['ﬁne', { ok: true, name: 'ﬁne' }],
    ['ℹ️ Info', { ok: true, name: 'ℹ️ Info' }],
    ['Acme™ ½', { ok: true, name: 'Acme™ ½' }],
    ['祝㊗️', { ok: true, name: '祝㊗️' }],
    ['x² ① Ⅳ ﾃｽﾄ …', { ok: true, name: 'x² ① Ⅳ ﾃｽﾄ …' }],
    ['ශ්‍රී ලංකා', { ok: true, name: 'ශ්‍රී ලංකා' }],
    ['علی‌رضا', { ok: true, name: 'علی‌رضا' }],
    ['क्‍ष र्‍य', { ok: true, name: 'क्‍ष र्‍य' }],
    ['e\u0301', { ok: true, name: 'é' }],
    ['Игра 🍊', { ok: true, name: 'Игра 🍊' }],
    ['<script>alert(1)</script>', { ok: true, name: '<script>alert(1)</script>' }],
    ["Robert'); drop table", { ok: true, name: "Robert'); drop table" }],
    ['', { ok: false, code: 'required' }],
    [' \t\n\u00a0\u3000 ', { ok: false, code: 'required' }],
    ['Ac\u0000me', { ok: false, code: 'invisible' }],
    ['Ac\u0007me', { ok: false, code: 'invisible' }],
    ['Ac\u200bme', { ok: false, code: 'invisible' }],
    ['Ac\u00adme', { ok: false, code: 'invisible' }],
    ['\u202eemcA', { ok: false, code: 'invisible' }],
    ['\u2066Acme\u2069', { ok: false, code: 'invisible' }],
    ['\u200b', { ok: false, code: 'invisible' }],
    ['Ac\ud800me', { ok: false, code: 'invisible' }],
    ['\u3164', { ok: false, code: 'invisible' }],
    ['\u2800', { ok: false, code: 'invisible' }],
    ['Acme\u{e0041}', { ok: false, code: 'invisible' }],
    ['x'.repeat(11), { ok: false, code: 'tooLong' }],
    ['🍊'.repeat(10), { ok: true, name: '🍊'.repeat(10) }],
    ['🍊'.repeat(11), { ok: false, code: 'tooLong' }],
  ])('tidies or refuses %j', (input, verdict) => {
    // Only the cases about length use a small maximum.
    const max = /x{11}|🍊{10}/u.test(input) ? 10 : 100;
    expect(checkName(input, max)).toEqual(verdict);
  });

  test('100 characters fit, 101 do not, and outer blanks do not count', () => {
    expect(checkName(` ${'a'.repeat(100)} `, 100)).toEqual({ ok: true, name: 'a'.repeat(100) });
    expect(checkName('a'.repeat(101), 100)).toEqual({ ok: false, code: 'tooLong' });
  });

  test('an accepted name is tidy, visible, within its length, and accepted unchanged', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const verdict = checkName(text, 20);
        if (!verdict.ok) return;
        // The only formatting characters left are those inside an emoji, and joiners that change letters.
        const outside = verdict.name
          .replace(/\p{Extended_Pictographic}\S*\p{Extended_Pictographic}/gu, '')
          .replace(/[\p{L}\p{M}][\u200c\u200d]/gu, '');
        expect({
          isWithin: [...verdict.name].length <= 20,
          trimmed: verdict.name.trim(),
          odd: /[\p{Cc}\p{Cs}]|\s\s/u.exec(verdict.name)?.[0],
          formatting: /\p{Cf}/u.exec(outside)?.[0],
          again: checkName(verdict.name, 20),
        }).toEqual({
          isWithin: true,
          trimmed: verdict.name,
          odd: undefined,
          formatting: undefined,
          again: verdict,
        });
      }),
      { numRuns: 5000 },
    );
  });
});

describe('comparing names', () => {
  test.each([
    ['Acme', 'acme'],
    ['ACME', ' acme '],
    ['Acme Games', 'acme   games'],
    ['Café', 'CAFE\u0301'],
    ['ＡＣＭＥ', 'acme'],
    ['Acme™', 'acmetm'],
    ['ﬁne ½', 'FINE 1⁄2'],
    ['㊗', '祝'],
  ])('%j and %j are the same name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.each([
    ['Acme', 'Acme2'],
    ['Acme Games', 'AcmeGames'],
    ['cafe', 'café'],
  ])('%j and %j are different names', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  test('comparing the tidied name gives the same result as comparing the typed one', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const key = nameKey(text);
        expect([nameKey(tidyLine(text)), nameKey(key)]).toEqual([key, key]);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('invisible characters', () => {
  const family = '👨‍👩‍👧‍👦';
  const joined = [family, '🏳️‍🌈', '🏴‍☠️', '👩🏽‍💻', '❤️‍🔥', '🧑🏿‍🤝‍🧑🏻', '👁️‍🗨️', '🏃🏼‍♀️‍➡️', '🐦‍⬛', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'];
  const whole = ['🍊', '🇺🇦', '1️⃣', '☎️', '👍🏾', '©', '❤️'];

  test.each([...joined, ...whole])('%s is one emoji, which names and long text may contain', (emoji) => {
    expect(hasInvisibleCharacters(emoji)).toBe(false);
    expect(hasControlCharacters(emoji)).toBe(false);
    expect(checkName(`Ada ${emoji} Lovelace`, 40)).toEqual({ ok: true, name: `Ada ${emoji} Lovelace` });
    expect(checkName(emoji, 20)).toEqual({ ok: true, name: emoji });
  });

  test.each([
    ['a joiner alone', '\u200d'],
    ['between letters', 'a\u200db'],
    ['after a letter', 'a\u200d🍊'],
    ['before a letter', '🍊\u200da'],
    ['at the end', '👩\u200d'],
    ['at the start', '\u200d👩'],
    ['two in a row', '👩\u200d\u200d💻'],
    ['between digits', '1\u200d2'],
    ['between the letters of a flag', '🇺\u200d🇦'],
    ['after two selectors', '❤\ufe0f\ufe0f\u200d🔥'],
    ['a non-joiner between emoji', '👩\u200c💻'],
    ['a zero-width space between emoji', '👩\u200b💻'],
    ['a bidi override in a family', '👨‍👩‍\u202e👧'],
    ['a bidi isolate after a family', `${family}\u2066`],
    ['tags that name no flag', '🏴\u{e0068}\u{e0069}\u{e007f}'],
    ['tags after another emoji', '🍊\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['tags without their end', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}'],
    ['a variation selector alone', '\ufe0f'],
    ['selectors and nothing else', '\ufe0e\ufe0f\u{e0100}'],
    ['a grapheme joiner alone', '\u034f'],
  ])('%s is invisible', (_, text) => {
    expect(hasInvisibleCharacters(text)).toBe(true);
  });

  // RFC 5892, appendix A.1 and A.2.
  test.each([
    ['after a virama', 'ක්‍ර', false],
    ['a non-joiner after a virama', 'क्‌ष', false],
    ['a non-joiner between letters that join', 'می‌خواهم', false],
    ['a non-joiner after a vowel mark', 'بَ‌ب', false],
    ['a non-joiner before a letter that joins only to the right', 'نی‌از', false],
    ['a non-joiner after a letter that does not join on', 'از‌ما', true],
    ['a non-joiner at the end', 'می‌', true],
    ['a non-joiner at the start', '‌می', true],
    ['a non-joiner before Latin', 'می‌a', true],
    ['a joiner between letters that join', 'می‍خ', true],
    ['two non-joiners', 'می‌‌خ', true],
    ['two joiners after a virama', 'ක්‍‍ර', true],
    ['a joiner after a letter of an Indic script', 'क‍ष', true],
    ['a non-joiner in Latin', 'a‌b', true],
  ])('a joiner %s: %j is invisible: %s', (_, text, isInvisible) => {
    expect(hasInvisibleCharacters(text)).toBe(isInvisible);
    expect(checkName(`Ada ${text}`, 40).ok).toBe(!isInvisible);
  });

  test('joined emoji are visible in any number and order; a joiner anywhere else is not', () => {
    const emoji = fc.constantFrom('👨', '👩🏽', '❤\ufe0f', '🔥', '💻', '♀\ufe0f');
    const chain = fc.array(emoji, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('\u200d'));
    const word = fc.constantFrom('', 'Ada', ' ', '中文', 'e\u0301', '7');
    fc.assert(
      fc.property(word, chain, word, (before, emojis, after) => {
        const text = before + emojis + after;
        const spoilt = [0, before.length, text.length].map(
          (place) => `${text.slice(0, place)}\u200d${text.slice(place)}`,
        );
        expect([text, tidyLine(text)].filter(hasInvisibleCharacters)).toEqual([]);
        expect(spoilt.filter(hasInvisibleCharacters)).toEqual(spoilt);
      }),
      { numRuns: 1000 },
    );
  });

  test('control, bidi and zero-width characters are found in and beside emoji', () => {
    const hidden = fc.constantFrom(
      ...['\u0000', '\u001b', '\u00ad', '\u061c', '\u200b', '\u200c', '\u200e', '\u200f', '\u202a', '\u202e'],
      ...['\u2060', '\u2066', '\u2069', '\ufeff', '\u{e0001}', '\u{e0041}', '\u3164', '\ud800'],
    );
    const characters = [...joined, ...whole];
    fc.assert(
      fc.property(fc.constantFrom(...characters), hidden, fc.nat(), (emoji, character, seed) => {
        const points = [...emoji];
        const place = seed % (points.length + 1);
        const text = [...points.slice(0, place), character, ...points.slice(place)].join('');
        expect([text, hasInvisibleCharacters(text)]).toEqual([text, true]);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['line one\r\nline two\tend', false],
    ['❤️ 中文 עברית', false],
    ['a\u0000b', true],
    ['a\u001bb', true],
    ['a\u009bb', true],
    ['a\u202eb', true],
    ['a\u2066b', true],
    ['a\udc00b', true],
  ])('long text %j contains controls: %s', (text, holds) => {
    expect(hasControlCharacters(text)).toBe(holds);
  });
});
