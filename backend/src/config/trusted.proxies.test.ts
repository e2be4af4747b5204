import { afterEach, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import type { IncomingMessage } from 'node:http';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { clientAddressOf, parseTrustedProxies, plainForwardedFor, trustProxyOf } from './trusted.proxies.js';

describe('TRUST_PROXY', () => {
  test.each([
    ['1', { hops: 1 }],
    ['10.0.0.0/8, 192.0.2.1,2001:db8::/32', { addresses: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'] }],
    ['0', null],
    ['true', null],
    ['10.0.0.0/33', null],
    ['0.0.0.0/0', null],
    ['10.0.0.1/8/8', null],
    ['192.0.2.1,', null],
    ['proxy.example.com', null],
  ])('%s is parsed as %j', (text, expected) => {
    expect(parseTrustedProxies(text)).toEqual(expected);
  });

  test.each(['', '1', '2', '10.0.0.0/8', '10.0.0.1, 2001:db8::/32, 192.0.2.1'])(
    'with "%s" an upgrade has the same client address as any other request',
    async (text) => {
      const proxies = parseTrustedProxies(text) ?? undefined;
      const addressOf = clientAddressOf(proxies);
      const server = Fastify({ trustProxy: trustProxyOf(proxies) });
      const said: string[] = [];
      server.get('/', (request, reply) => {
        said.push(addressOf(request.raw as IncomingMessage));
        plainForwardedFor(request.raw as IncomingMessage);
        void reply.send(request.ip);
      });
      const peers = ['203.0.113.7', '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '192.0.2.1'];
      const lists = [
        undefined,
        '',
        '198.51.100.1',
        '198.51.100.1, 10.0.0.9',
        'x, 10.0.0.1,2001:db8::2',
        '10.0.0.1, x, 10.0.0.9',
        '198.51.100.1:80,, [2001:DB8::2]:443',
      ];
      const answered: string[] = [];
      for (const remoteAddress of peers) {
        for (const list of lists) {
          const headers = list === undefined ? {} : { 'x-forwarded-for': list };
          answered.push((await server.inject({ url: '/', remoteAddress, headers })).body);
        }
      }
      expect(said).toEqual(answered);
      await server.close();
    },
  );

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:40001', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:DB8:0::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['198.51.100.1:1, 203.0.113.7:2', '198.51.100.1, 203.0.113.7'],
    [' , 203.0.113.7,\t,', '203.0.113.7'],
    [`${'::1,'.repeat(40)}203.0.113.7`, `${'::1, '.repeat(31)}203.0.113.7`],
    ['_hidden, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, unknown, 203.0.113.7', '203.0.113.7'],
    ...[
      ...[
        '',
        ',',
        'unknown',
        '_hidden',
        'localhost',
        '203.0.113.007',
        '203.0.113',
        '3405803783',
        '0xcb007107',
      ],
      ...[
        '203.0.113.7:',
        '203.0.113.7:x',
        '203.0.113.7:123456',
        '203.0.113.7:1:2',
        '[203.0.113.7]:1',
        '[]:1',
      ],
      ...[
        '"203.0.113.7"',
        'for=203.0.113.7',
        '[2001:db8::1',
        '2001:db8::1]:1',
        '[2001:db8::1]x',
        '%eth0',
        '::g',
      ],
      ...['1:2:3:4:5:6:7:8:40001', '203.0.113.7 198.51.100.1'],
    ].map((other) => [other, '']),
  ])('the addresses in X-Forwarded-For "%s" are "%s"', (text, expected) => {
    const headers = { 'x-forwarded-for': text };
    plainForwardedFor({ headers });
    expect(headers).toEqual({ 'x-forwarded-for': expected });
  });

  let portal: TestApp;
  afterEach(() => portal?.close());
  const start = async (variables: Record<string, string>) => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ADDRESS: '1', ...variables });
  };
  let attempts = 0;
  const attempt = async (forwardedFor: string): Promise<number> => {
    const answer = await portal.call('POST', '/api/v1/auth/email/login', {
      body: { email: `nobody-${attempts++}@example.com`, password: 'not a password' },
      headers: { 'x-forwarded-for': forwardedFor },
    });
    return answer.status;
  };

  test('without it a forged X-Forwarded-For changes nothing', async () => {
    await start({});
    expect([await attempt('203.0.113.1'), await attempt('203.0.113.2')]).toEqual([401, 429]);
  });

  test.each(['1', '127.0.0.0/8, ::1'])('with %s limits apply per client of the proxy', async (proxies) => {
    await start({ TRUST_PROXY: proxies });
    expect([await attempt('203.0.113.1'), await attempt('203.0.113.2')]).toEqual([401, 401]);
    expect(await attempt('203.0.113.1')).toBe(429);
    // Entries before the proxy's own were written by the client.
    expect(await attempt('198.51.100.9, 203.0.113.1')).toBe(429);
  });

  test.each([
    ['a port', (attempt: number) => `203.0.113.1:${40_001 + attempt}`],
    ['brackets and a port', (attempt: number) => `[2001:db8::1]:${40_001 + attempt}`],
    [
      'another spelling of its IPv4 address',
      (attempt: number) =>
        ['::ffff:203.0.113.1', '0:0:0:0:0:FFFF:CB00:7101', '::ffff:203.0.113.1%a', '203.0.113.1:1'][attempt]!,
    ],
    ['a zone', (attempt: number) => `fe80::1%eth${attempt}`],
    [
      'no address',
      (attempt: number) =>
        ['unknown', `_hidden${attempt}`, '203.0.113.007', `203.0.113.1:x${attempt}`][attempt]!,
    ],
  ])('a client whose address has %s counts as one client', async (_what, forwardedFor) => {
    await start({ TRUST_PROXY: '1', SIGN_IN_LIMIT_PER_ADDRESS: '2' });
    const statuses = [];
    for (const number of [0, 1, 2, 3]) statuses.push(await attempt(forwardedFor(number)));
    expect(statuses).toEqual([401, 401, 429, 429]);
  });

  test('a proxy that is not configured is not trusted', async () => {
    await start({ TRUST_PROXY: '192.0.2.1' });
    expect([await attempt('203.0.113.1'), await attempt('203.0.113.2')]).toEqual([401, 429]);
  });
});
