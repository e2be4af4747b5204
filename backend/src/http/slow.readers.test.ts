import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { AddressInfo, connect, Socket } from 'node:net';
import { until } from '../testing/until.js';
import { cutSlowReaders } from './slow.readers.js';

/** More than the system's buffers take. */
const bytes = 24 * 2 ** 20;

describe('clients that read nothing, while the data of one and a half may wait', () => {
  let server: Server;
  const clients: Socket[] = [];
  const served: Socket[] = [];
  beforeAll(async () => {
    const body = Buffer.alloc(bytes);
    server = createServer((_request, response) => response.end(body));
    server.on('connection', (socket: Socket) => served.push(socket));
    cutSlowReaders(server, { graceMs: () => 60_000, waitingBytesMax: 1.5 * bytes, everyMs: 10 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  const begin = async (): Promise<{ client: Socket; at: number }> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const at = clients.push(client) - 1;
    client.on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    await until('its data waits', () => (served[at]?.writableLength ?? 0) > 0);
    return { client, at };
  };

  test('the one that has waited longest is cut, and the next one gets its whole response', async () => {
    const first = await begin();
    const second = await begin();
    await until('the first is cut', () => served[first.at]?.destroyed);
    let read = 0;
    second.client.on('data', (chunk: Buffer) => (read += chunk.length));
    await once(second.client, 'end');
    expect(read).toBeGreaterThan(bytes);
  });
});
