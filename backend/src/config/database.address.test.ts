import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import pg from 'pg';
import { addressOf } from './database.address.js';

describe('DATABASE_URL', () => {
  let server: Server;
  afterEach(() => void server.close());

  test('with sslmode=require sends nothing to a server without TLS', async () => {
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
