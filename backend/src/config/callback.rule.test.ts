import { describe, expect, test } from '@jest/globals';
import { anyText } from '@orange-id/contract/any.text.fixture';
import fc from 'fast-check';
import { registeredCallback } from './callback.rule.js';
import { hostileStates } from '../testing/hostile.states.js';

const registered = ['https://portal.example.com/auth/callback', 'http://localhost:3000/auth/callback'];

describe('registeredCallback', () => {
  test.each([
    ['https://portal.example.com/auth/callback', registered[0]],
    ['HTTPS://PORTAL.example.com/auth/callback', registered[0]],
    ['https://portal.example.com:443/auth/callback', registered[0]],
    ['http://localhost:3000/auth/callback', registered[1]],
  ])('%s is registered', (state, address) => {
    expect(registeredCallback(state, registered)).toBe(address);
  });

  test.each(hostileStates('https://portal.example.com'))('%j is not registered', (state) => {
    expect(registeredCallback(state, registered)).toBeNull();
  });

  test.each([[undefined], [null], [7], [{}], [[registered[0]]], [{ toString: () => registered[0] }]])(
    '%p is not an address',
    (state) => {
      expect(registeredCallback(state, registered)).toBeNull();
    },
  );

  test('an address that only begins like a registered one is not registered', () => {
    fc.assert(
      fc.property(fc.constantFrom(...registered), anyText({ minLength: 1 }), (base, tail) => {
        const found = registeredCallback(base + tail, registered);
        // A tail would be accepted only if parsing left origin and path unchanged; no tail does.
        expect(found).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test('every accepted value leads, in any URL parser, to the registered address itself', () => {
    const pieces = fc.constantFrom(
      'http',
      'https',
      'javascript',
      'data',
      ':',
      '//',
      '/',
      '\\',
      '@',
      '#',
      '?',
      '.',
      '%2f',
      '%5c',
      '%00',
      '\t',
      '\n',
      ' ',
      'portal.example.com',
      'localhost',
      '3000',
      'evil.example',
      'auth',
      'callback',
      '/auth/callback',
      '..',
      '[::1]',
      'ｅ',
      '。',
      '\u202e',
    );
    const assembled = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
    const mutated = fc
      .tuple(
        fc.constantFrom(...registered),
        fc.nat(40),
        fc.nat(3),
        fc.oneof(pieces, fc.string({ maxLength: 4 })),
      )
      .map(([base, at, drop, put]) => base.slice(0, at) + put + base.slice(at + drop));
    fc.assert(
      fc.property(fc.oneof(assembled, mutated, fc.webUrl(), fc.string()), (state) => {
        const found = registeredCallback(state, registered);
        if (found === null) return;
        expect(registered).toContain(found);
        const url = new URL(state);
        expect(url.href).toBe(found);
      }),
      { numRuns: 5000 },
    );
  });
});
