import { afterEach, expect, test } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import pg from 'pg';
import { addressOf } from '../config/database.address.js';
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

test('a client of the pool sends the password, to the host that is current', async () => {
  const sent: string[] = [];
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      // Asks for a password in plain text.
      socket.write(message('R', Buffer.from([0, 0, 0, 3])));
      socket.once('data', (answer) => {
        sent.push(answer.toString('utf8', 5, answer.length - 1));
        socket.end(readyAndGone);
      });
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = addressOf(`postgres://portal:hunter2@127.0.0.1:1,127.0.0.1:${port}/portal`);
  const pool = new pg.Pool({ ...address, Client: PooledClient, address } as pg.PoolConfig);
  pool.on('error', () => undefined);
  address.hosts?.use(address.hosts.all[1] as { host: string; port: number });
  await pool.connect().then(
    (client) => client.release(true),
    () => undefined,
  );
  await pool.end();
  expect(sent).toEqual(['hunter2']);
});
