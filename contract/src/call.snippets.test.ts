import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { curlFor, urlFor } from './call.snippets.js';
import { type MeteredPath, meteredPaths } from './metered.paths.js';

const { walletBalance, key } = meteredPaths;

/** The arguments `/bin/sh` hands to `curl` when it runs the command. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const out = execFileSync('/bin/sh', ['-c', script], { encoding: 'buffer' });
  return out.toString('utf8').split('\0').slice(0, -1);
}

describe('urlFor', () => {
  test('fills query parameters, omits empty ones and escapes the rest', () => {
    const call = { baseUrl: 'http://localhost:3000', parameters: { address: 'a b&c=d', other: '' } };
    expect(urlFor(walletBalance, call)).toBe(
      'http://localhost:3000/api/v1/wallet/balance?address=a+b%26c%3Dd',
    );
    expect(urlFor(key, { baseUrl: 'https://portal.example.com/' })).toBe(
      'https://portal.example.com/api/v1/key',
    );
  });
});

const token: MeteredPath = {
  ...key,
  path: '/api/v1/tokens/{id}',
  parameters: [
    { name: 'id', in: 'path', type: 'text', required: true, description: '', example: '1' },
    { name: 'unit', in: 'query', type: 'text', required: false, description: '', example: '1' },
  ],
};

describe('a path parameter', () => {
  const urlOf = (id: string) =>
    urlFor(token, { baseUrl: 'https://a.example', parameters: { id, unit: 'x' } });

  test('is filled in, and stays a placeholder without a value', () => {
    expect(urlOf('0x12')).toBe('https://a.example/api/v1/tokens/0x12?unit=x');
    expect(urlFor(token, { baseUrl: 'https://a.example' })).toBe('https://a.example/api/v1/tokens/%7Bid%7D');
  });

  test('never adds a segment, a query or another host, whatever its value', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ minLength: 1, unit: 'grapheme' }), fc.constantFrom('.', '..')),
        (id) => {
          const url = new URL(urlOf(id));
          expect([url.host, url.search, url.hash]).toEqual(['a.example', '?unit=x', '']);
          const segments = url.pathname.split('/');
          expect(segments.slice(0, 4)).toEqual(['', 'api', 'v1', 'tokens']);
          expect(segments.slice(4).map(decodeURIComponent)).toEqual([/^\.{1,2}$/.test(id) ? '{id}' : id]);
        },
      ),
    );
  });
});

describe('curlFor', () => {
  test('writes a command that can be pasted into a shell', () => {
    expect(curlFor(key, { baseUrl: 'http://localhost:3000', apiKey: 'oid_4fGh' })).toBe(
      "curl -H 'X-API-Key: oid_4fGh' \\\n  'http://localhost:3000/api/v1/key'",
    );
  });

  test('for any key and parameters, the shell passes exactly the URL and the header to curl', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        "'",
        "'; rm -rf /; '",
        '$(id)',
        '`id`',
        '\\',
        '"',
        '!!',
        '\n',
        '-K',
        '%0a',
        '${PATH}',
        "\\'",
      ),
    );
    // A process argument can't hold the zero byte.
    const argument = hostile.filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(argument, argument, (apiKey, address) => {
        const call = { baseUrl: 'http://localhost:3000', apiKey, parameters: { address } };
        const [flag, header, url, ...rest] = argumentsOf(curlFor(walletBalance, call));
        expect(new URL(url as string).pathname).toBe('/api/v1/wallet/balance');
        expect(new URL(url as string).searchParams.get('address') ?? '').toBe(address);
        expect([flag, header]).toEqual(['-H', `X-API-Key: ${apiKey}`]);
        expect(rest).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('a body is sent as JSON, whatever text it contains', () => {
    const post: MeteredPath = { ...key, method: 'POST' };
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        (text) => {
          const call = { baseUrl: 'http://localhost:3000', apiKey: 'k', body: { text } };
          const words = argumentsOf(curlFor(post, call));
          expect(words.slice(0, 7)).toEqual([
            ...['-X', 'POST', '-H', 'X-API-Key: k', '-H', 'Content-Type: application/json', '-d'],
          ]);
          expect(JSON.parse(words[7] as string)).toEqual({ text });
          expect(words.slice(8)).toEqual(['http://localhost:3000/api/v1/key']);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a method other than GET is named', () => {
    const post: MeteredPath = { ...key, method: 'POST' };
    const call = { baseUrl: 'http://localhost:3000', apiKey: 'k' };
    expect(argumentsOf(curlFor(post, call)).slice(0, 2)).toEqual(['-X', 'POST']);
    expect(argumentsOf(curlFor(key, call))).not.toContain('-X');
  });
});
