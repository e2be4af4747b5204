import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import pg from 'pg';
import { addressOf, type DatabaseAddress } from './database.address.js';
import { isDatabaseLinkOpen } from './network.rule.js';

const local = { host: 'db.example.com', port: 5432, user: 'portal', database: 'portal' };

test.each<[string, DatabaseAddress]>([
  ['postgres://portal@db.example.com', local],
  ['postgres://portal@db.example.com:6543/other', { ...local, port: 6543, database: 'other' }],
  [
    'postgres://por%40tal:p%3Aw@db.example.com/o%20p',
    { ...local, user: 'por@tal', password: 'p:w', database: 'o p' },
  ],
  ['postgres://portal@[::1]/portal', { ...local, host: '::1' }],
  ['postgres://portal@localhost/portal?host=/run/postgresql', { ...local, host: '/run/postgresql' }],
  ['postgres://portal@db.example.com/portal?sslmode=disable', local],
  ['postgres://portal@db.example.com/portal?sslmode=require', { ...local, ssl: true }],
  [
    'postgres://portal@db.example.com/portal?sslmode=no-verify',
    { ...local, ssl: { rejectUnauthorized: false } },
  ],
])('%s is read in all its parts', (url, address) => {
  expect(addressOf(url)).toEqual(address);
});

describe('several hosts', () => {
  const several = 'postgres://portal:pw@a.example.com,[::1]:6543,%2Frun%2Fc/name?sslmode=require';
  const read = (text: string): string[] => {
    const address = addressOf(text);
    return (address.hosts?.all ?? []).map((host) => {
      address.hosts?.use(host);
      const { host: name, port, user, password, database, ssl } = { ...address };
      return `${user}:${password}@${name} ${port}/${database} ${ssl}`;
    });
  };

  test('are read with all that they share', () => {
    expect(read(several)).toEqual([
      'portal:pw@a.example.com 5432/name true',
      'portal:pw@::1 6543/name true',
      'portal:pw@/run/c 5432/name true',
    ]);
  });

  test('are taken in turn; of connections that fail at once, the first goes on to the next host', () => {
    const address = addressOf('postgres://portal@a,b/portal');
    const [a, b] = address.hosts?.all ?? [];
    if (!a || !b) throw new Error('two hosts');
    expect(address.host).toBe('a');
    address.hosts?.leave(a);
    address.hosts?.leave(a);
    expect(address.host).toBe('b');
    address.hosts?.leave(b);
    expect(address.host).toBe('a');
  });

  test.each([
    ['postgres://portal@near,far.example.com/portal', true],
    ['postgres://portal@near,far.example.com/portal?sslmode=require', false],
    ['postgres://portal@near,db/portal', false],
  ])('the link to all of %s is checked: open is %s', (url, isOpen) => {
    expect(isDatabaseLinkOpen(url)).toBe(isOpen);
  });
});

describe('DATABASE_URL', () => {
  let server: Server;
  afterEach(() => void server.close());

  test('with sslmode=require sends a server without TLS only the request for TLS', async () => {
    const heard: Buffer[] = [];
    server = createServer((socket) => {
      socket.on('data', (chunk) => {
        heard.push(chunk);
        // A refusal of the TLS request, as a server without TLS or a man in the middle sends it.
        socket.write('N');
      });
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = new pg.Client(
      addressOf(`postgres://portal:hunter2@127.0.0.1:${port}/portal?sslmode=require`),
    );
    client.on('error', () => undefined);
    await expect(client.connect()).rejects.toThrow('The server does not support SSL connections');
    expect(Buffer.concat(heard).toString('hex')).toBe('0000000804d2162f');
  });
});
