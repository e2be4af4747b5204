import { afterEach, expect, test } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import pg from 'pg';
import { PooledClient } from './pooled.client.js';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const field = (type: string, text: string): Buffer => Buffer.from(`${type}${text}\0`);

/** What a server sends that ends in the moment in which a client has connected: all in one packet. */
const readyAndGone = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('Z', Buffer.from('I')),
  message(
    'E',
    Buffer.concat([
      field('S', 'FATAL'),
      field('C', '57P01'),
      field('M', 'terminating connection due to unexpected postmaster exit'),
      Buffer.from([0]),
    ]),
  ),
]);

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

test('a server that ends in the moment in which a client has connected does not end the process', async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(readyAndGone));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port,
    user: 'portal',
    Client: PooledClient,
  } as pg.PoolConfig);
  const client = await pool.connect();
  await expect(client.query('select 1')).rejects.toThrow(
    /not queryable|terminated|unexpected postmaster exit/,
  );
  client.release();
  expect(pool.totalCount).toBe(0);
  await pool.end();
});
