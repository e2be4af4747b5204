import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { isTokenExpired, readTokenClaims } from './token.rule.js';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (claims: unknown) => `${encode({ alg: 'ES256' })}.${encode(claims)}.signature`;

describe('readTokenClaims', () => {
  test('reads the claims, with names in any alphabet', () => {
    expect(readTokenClaims(tokenOf({ sub: 'ü🍊??>>', exp: 1000, provider: 'google' }))).toEqual({
      sub: 'ü🍊??>>',
      exp: 1000,
      provider: 'google',
    });
  });

  const unreadable: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['the word undefined', 'undefined'],
    ['the word null', 'null'],
    ['an object in place of a text', { accessToken: 'x' }],
    ['a number in place of a text', 7],
    ['one part', encode({ exp: 9e9 })],
    ['two parts', `a.${encode({ exp: 9e9 })}`],
    ['four parts', `a.${encode({ exp: 9e9 })}.c.d`],
    ['an empty payload', 'a..c'],
    ['no base64', 'a.%%%.c'],
    ['no JSON', `a.${Buffer.from('{').toString('base64url')}.c`],
    ['no UTF-8', `a.${Buffer.from([0x22, 0xff, 0xfe, 0x22]).toString('base64url')}.c`],
    ['a list', tokenOf([1])],
    ['null inside', tokenOf(null)],
    ['no exp', tokenOf({ sub: 'x' })],
    ['exp as text', tokenOf({ exp: '9999999999' })],
    ['exp null', tokenOf({ exp: null })],
    ['exp beyond numbers', `a.${Buffer.from('{"exp":1e999}').toString('base64url')}.c`],
  ];
  test.each(unreadable)('%s is unreadable and therefore expired', (_, token) => {
    expect(readTokenClaims(token as string)).toBeNull();
    expect(isTokenExpired(token as string, 0)).toBe(true);
  });

  test('it does not throw for any value', () => {
    const any = fc.oneof(
      fc.anything(),
      anyText(),
      fc.array(fc.base64String(), { maxLength: 4 }).map((parts) => parts.join('.')),
      fc.json().map((json) => `a.${Buffer.from(json).toString('base64url')}.c`),
    );
    fc.assert(
      fc.property(any, (token) => {
        expect(() => isTokenExpired(token as string, 0)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('isTokenExpired', () => {
  const token = tokenOf({ exp: 1000 });
  test.each([
    [999_999, false],
    [1_000_000, true],
    [1_000_001, true],
    [0, false],
  ])('a token with exp 1000 s has expired at %i ms: %s', (nowMs, isExpired) => {
    expect(isTokenExpired(token, nowMs)).toBe(isExpired);
  });

  test('a token expires exactly at exp, including fractions of a second', () => {
    const seconds = fc.double({ min: 0, max: 4e9, noNaN: true });
    fc.assert(
      fc.property(seconds, fc.integer({ min: -2000, max: 2000 }), (exp, off) => {
        const nowMs = Math.round(exp * 1000) + off;
        expect(isTokenExpired(tokenOf({ exp }), nowMs)).toBe(nowMs >= exp * 1000);
      }),
    );
  });
});
