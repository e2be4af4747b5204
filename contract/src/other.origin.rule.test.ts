import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { limits } from './limits.js';
import { checkOtherOrigin, placeToAllow } from './other.origin.rule.js';
import { isOriginAllowed } from './whitelist.rule.js';

const id = 'abcdefghijklmnopabcdefghijklmnop';
const uuid = '0b8ff2a4-3a63-4c0d-9f0a-5d2b1f3c4e5a';

const verdictOf = (input: string, existing: string[] = []) => {
  const verdict = checkOtherOrigin(input, existing);
  return verdict.ok ? verdict.origin : verdict.code;
};

test.each([
  ['null', 'null'],
  [' NULL ', 'null'],
  [`chrome-extension://${id}`, `chrome-extension://${id}`],
  [`Chrome-Extension://${id}/popup.html?x`, `chrome-extension://${id}`],
  [`moz-extension://${uuid.toUpperCase()}/`, `moz-extension://${uuid}`],
  [`safari-web-extension://${uuid}`, `safari-web-extension://${uuid}`],
  ['', 'required'],
  ['  ', 'required'],
  ['https://app.example.com', 'page'],
  ['http://localhost', 'page'],
  ['chrome-extension://abc', 'extensionId'],
  ['chrome-extension://*', 'extensionId'],
  [`chrome-extension://${id}x`, 'extensionId'],
  [`chrome-extension://${'z'.repeat(32)}`, 'extensionId'],
  [`chrome-extension://${id}@evil.com`, 'extensionId'],
  [`moz-extension://${id}`, 'extensionId'],
  ['app://localhost', 'unsupported'],
  ['file://', 'unsupported'],
  ['capacitor://localhost', 'unsupported'],
  ['*', 'unsupported'],
  ['local', 'unsupported'],
  ['invalid', 'unsupported'],
  ['nullable', 'unsupported'],
])('the verdict on the other origin %j is %s', (input, verdict) => expect(verdictOf(input)).toBe(verdict));

test('an origin already in the list is a duplicate, and a full list takes no more', () => {
  expect(verdictOf('NULL', ['null'])).toBe('duplicate');
  const full = Array.from({ length: limits.otherOriginsPerProject }, (_, place) => `x${place}`);
  expect(verdictOf('null', full)).toBe('tooMany');
});

test('an accepted origin is accepted again unchanged, and allows exactly itself', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.constantFrom('null', `chrome-extension://${id}/a`)), (input) => {
      const verdict = checkOtherOrigin(input);
      if (!verdict.ok) return;
      const { origin } = verdict;
      expect(checkOtherOrigin(origin)).toEqual(verdict);
      expect(isOriginAllowed(origin, [], [], [origin])).toBe('whitelisted');
      expect(isOriginAllowed(`${origin}x`, [], [], [origin])).toBe('refused');
    }),
  );
});

test.each([
  ['https://app.example.com', 'urls'],
  ['http://8.8.8.8:8080', 'urls'],
  ['null', 'others'],
  [`chrome-extension://${id}`, 'others'],
  ['app://bundle', null],
  ['http://192.168.1.7', null],
  ['http://[2001:db8::1]', null],
  ['https://*.example.com', null],
  ['invalid', null],
  ['other', null],
])('%s can be allowed under %s', (origin, place) => expect(placeToAllow(origin)).toBe(place));
