import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkName, hasControlCharacters, hasInvisibleCharacters, nameKey, tidyLine } from './text.rule.js';

describe('checkName', () => {
  test.each([
    ['Acme', { ok: true, name: 'Acme' }],
    ['  Acme   Games\t2 ', { ok: true, name: 'Acme Games 2' }],
    ['Acme\nGames', { ok: true, name: 'Acme Games' }],
    ['ＡＣＭＥ', { ok: true, name: 'ACME' }],
    ['ﬁne', { ok: true, name: 'fine' }],
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
  ])('%j', (input, verdict) => {
    // Only what is about length meets a small maximum.
    const max = /x{11}|🍊{10}/u.test(input) ? 10 : 100;
    expect(checkName(input, max)).toEqual(verdict);
  });

  test('100 characters fit, 101 do not, outer blanks do not count', () => {
    expect(checkName(` ${'a'.repeat(100)} `, 100)).toEqual({ ok: true, name: 'a'.repeat(100) });
    expect(checkName('a'.repeat(101), 100)).toEqual({ ok: false, code: 'tooLong' });
  });

  test('an accepted name is tidy, visible, within its length, and accepted unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const verdict = checkName(text, 20);
        if (!verdict.ok) return;
        expect([...verdict.name].length).toBeLessThanOrEqual(20);
        expect(verdict.name).toBe(verdict.name.trim());
        expect(verdict.name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|\s\s/u);
        expect(checkName(verdict.name, 20)).toEqual(verdict);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('names compared', () => {
  test.each([
    ['Acme', 'acme'],
    ['ACME', ' acme '],
    ['Acme Games', 'acme   games'],
    ['Café', 'CAFE\u0301'],
    ['ＡＣＭＥ', 'acme'],
  ])('%j and %j are the same name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.each([
    ['Acme', 'Acme2'],
    ['Acme Games', 'AcmeGames'],
    ['cafe', 'café'],
  ])('%j and %j are two names', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  test('comparing the tidied name gives the same as comparing the typed one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(nameKey(tidyLine(text))).toBe(nameKey(text));
        expect(nameKey(nameKey(text))).toBe(nameKey(text));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('characters that do not show', () => {
  test('a family emoji has joiners: fine in long text, not in a name', () => {
    expect(hasInvisibleCharacters('👨‍👩‍👧')).toBe(true);
    expect(hasControlCharacters('👨‍👩‍👧')).toBe(false);
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
  ])('long text %j holds controls: %s', (text, holds) => {
    expect(hasControlCharacters(text)).toBe(holds);
  });
});
