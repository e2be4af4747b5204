import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { apiKeyEnds, apiKeyFrom, apiKeyPattern, apiKeyPrefix, isWellFormedApiKey } from './api-key.rule.js';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const key = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => apiKeyFrom(bytes));
const place = fc.nat({ max: 36 });

describe('API keys', () => {
  test('known bytes give a known key', () => {
    expect(apiKeyFrom(new Uint8Array(20))).toBe('oid_0000000000000000000000000003p0gjZ');
    expect(apiKeyFrom(Uint8Array.from({ length: 20 }, (_, i) => i))).toBe(
      'oid_0029sS3yqsuDyR1vGFhTuuRAq1b0vzk5B',
    );
    expect(apiKeyFrom(new Uint8Array(20).fill(255))).toBe('oid_aWgEPTl1tmebfsQzFP4bxwgy80V3aLFmm');
  });

  test('any 20 bytes give a well-formed key of 37 characters; other lengths throw', () => {
    fc.assert(
      fc.property(key, (text) => {
        expect(text).toMatch(/^oid_[0-9A-Za-z]{33}$/);
        expect(text).toMatch(apiKeyPattern);
        expect(isWellFormedApiKey(text)).toBe(true);
      }),
    );
    expect(() => apiKeyFrom(new Uint8Array(19))).toThrow('an API key needs 20 random bytes');
    expect(() => apiKeyFrom(new Uint8Array(21))).toThrow(RangeError);
  });

  test('different bytes give different keys', () => {
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(Buffer.compare(one, other) !== 0);
        expect(apiKeyFrom(one)).not.toBe(apiKeyFrom(other));
      }),
    );
  });

  test('the checksum catches every change of a single character', () => {
    fc.assert(
      fc.property(key, place, fc.constantFrom(...alphabet, '_', '-', ' '), (text, at, other) => {
        fc.pre(text[at] !== other);
        expect(isWellFormedApiKey(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  test('the checksum catches every swap of two neighbours', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 35 }), (text, at) => {
        const [left, right] = [text[at] as string, text[at + 1] as string];
        fc.pre(left !== right);
        expect(isWellFormedApiKey(text.slice(0, at) + right + left + text.slice(at + 2))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  test('a key cut short, lengthened, or of another kind is refused', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 36 }), (text, length) => {
        expect(isWellFormedApiKey(text.slice(0, length))).toBe(false);
        expect(isWellFormedApiKey(`${text}0`)).toBe(false);
        expect(isWellFormedApiKey(` ${text}`)).toBe(false);
        expect(isWellFormedApiKey(`${text}\n`)).toBe(false);
      }),
    );
    for (const text of ['', 'oid_', 'undefined', '0123456789abcdef0123456789abcdef']) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });

  test('the check does not throw for any text', () => {
    fc.assert(fc.property(anyText(), (text) => !isWellFormedApiKey(text)));
  });

  test('the ends of a key are its first 8 and last 4 characters', () => {
    const text = 'oid_4fGhABCDEFGHIJKLMNOPQRSTUVWXYZabc';
    expect(apiKeyPrefix(text)).toBe('oid_4fGh');
    expect(apiKeyEnds(text)).toEqual({ prefix: 'oid_4fGh', last4: 'Zabc' });
  });

  test('a key so short that its ends would show more than half of it has no ends', () => {
    expect(apiKeyEnds('k'.repeat(23))).toEqual({ prefix: '', last4: '' });
    expect(apiKeyEnds('k'.repeat(24))).toEqual({ prefix: 'kkkkkkkk', last4: 'kkkk' });
  });
});
