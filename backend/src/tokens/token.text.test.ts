import { describe, expect, test } from '@jest/globals';
import { hasInvisibleCharacters } from '@orange-id/contract/text.rule';
import fc from 'fast-check';
import { concatHex, encodeAbiParameters, numberToHex, stringToHex } from 'viem';
import type { Hex } from 'viem';
import { decodeTokenText, tokenText } from './token.text.js';

const encoded = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text]);
const anyText = fc.string({ unit: 'binary', maxLength: 300 });

describe('a token’s text', () => {
  test.each([
    ['USD\u200bC', 'USDC'],
    ['\u202eCDSU', 'CDSU'],
    ['a\u0000b\nc\td', 'ab c d'],
    ['  Wrapped   Ether ', 'Wrapped Ether'],
    ['ＵＳＤＣ', 'USDC'],
    ['🍊 Coin', '🍊 Coin'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['x'.repeat(65), `${'x'.repeat(63)}…`],
    ['🍊'.repeat(70), `${'🍊'.repeat(63)}…`],
  ])('%j is stored as %j', (text, stored) => expect(tokenText(text, 64)).toBe(stored));

  test.each(['', '   ', '\u0000', '\u200b\u200d', '\u3164', '\ufe0f'])(
    '%j has nothing to show and counts as missing',
    (text) => expect(tokenText(text, 64)).toBeNull(),
  );

  test('is short, on one line and visible for any input, and does not change when cleaned again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = tokenText(text, 64);
        if (stored === null) return;
        expect([...stored].length).toBeLessThanOrEqual(64);
        expect(hasInvisibleCharacters(stored) || /[\r\n]/.test(stored)).toBe(false);
        expect(Buffer.from(stored).toString()).toBe(stored);
        expect(tokenText(stored, 64)).toBe(stored);
      }),
    );
  });
});

describe('the text that a contract returns', () => {
  test('is a string, or 32 bytes up to the first zero', () => {
    expect(decodeTokenText(encoded('Coin'))).toBe('Coin');
    expect(decodeTokenText(encoded(''))).toBe('');
    expect(decodeTokenText(stringToHex('MKR', { size: 32 }))).toBe('MKR');
    expect(decodeTokenText(`0x${'41'.repeat(32)}`)).toBe('A'.repeat(32));
  });

  test('shows bytes that are not UTF-8 as U+FFFD', () => {
    const invalid = concatHex([numberToHex(32, { size: 32 }), numberToHex(3, { size: 32 }), '0x41ff42']);
    expect(decodeTokenText(concatHex([invalid, `0x${'00'.repeat(29)}`]))).toBe('A\ufffdB');
    expect(decodeTokenText(`0xff41${'00'.repeat(30)}`)).toBe('\ufffdA');
  });

  test.each<[string, Hex]>([
    ['nothing', '0x'],
    ['a few bytes', '0x1234'],
    [
      'a string that starts beyond the end',
      concatHex([numberToHex(4096, { size: 32 }), `0x${'00'.repeat(32)}`]),
    ],
    [
      'a string longer than the data',
      concatHex([numberToHex(32, { size: 32 }), numberToHex(9_999, { size: 32 })]),
    ],
    ['a length of 2^256 - 1', concatHex([numberToHex(32, { size: 32 }), `0x${'ff'.repeat(32)}`])],
    ['more than 8 KB', encoded('x'.repeat(8_200))],
  ])('is null if the contract returns %s', (_, data) => expect(decodeTokenText(data)).toBeNull());

  test('is a string or null for any bytes, and never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = decodeTokenText(`0x${Buffer.from(bytes).toString('hex')}`);
        expect(text === null || typeof text === 'string').toBe(true);
      }),
    );
  });
});
