import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { once } from 'node:events';
import { fstatSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, Server, ServerResponse } from 'node:http';
import { AddressInfo, connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { oneByOne } from './pipelined.requests.js';

/** One connection that sends all its requests before it reads a response. */
function pipeline(
  port: number,
  count: number,
  path = '/api/config',
): { socket: Socket; text(): string; closed: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  for (let place = 0; place < count; place++) {
    socket.write(`GET ${path}?place=${place} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  }
  return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

describe('requests that one connection sends without waiting for responses', () => {
  let server: Server;
  const begun: { url: string; response: ServerResponse }[] = [];
  let ended = 0;
  beforeAll(async () => {
    const listener = oneByOne(({ url = '' }, response) => {
      begun.push({ url, response });
      response.on('close', () => ended++);
    });
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => new Promise((resolve) => void server.close(resolve)));
  beforeEach(() => {
    begun.length = 0;
    ended = 0;
  });
  const portOf = () => (server.address() as AddressInfo).port;

  test('start one after the other and are answered in order', async () => {
    const { socket, text } = pipeline(portOf(), 10);
    for (let place = 0; place < 10; place++) {
      await until(`number ${place} begins`, () => begun.length === place + 1);
      expect(ended).toBe(place);
      begun[place]?.response.end(`answer ${place};`);
    }
    await until('all are answered', () => text().includes('answer 9;'));
    expect([...text().matchAll(/answer (\d);/g)].map(([, place]) => Number(place))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    socket.destroy();
  });

  test('are dropped when their connection closes: the running one is aborted and the others never start', async () => {
    const { socket } = pipeline(portOf(), 10);
    await until('the first begins', () => begun.length === 1);
    socket.destroy();
    await until('the running request is aborted', () => ended === 1);
    expect(begun).toHaveLength(1);
  });

  test('are limited in number: one too many closes the connection', async () => {
    const { closed } = pipeline(portOf(), limits.requestsWaitingPerConnection + 2);
    await closed;
    await until('the running request is aborted', () => ended === 1);
    expect(begun).toHaveLength(1);
  });
});

describe('a portal', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('closes a connection that sends thousands of requests at once, and serves other connections', async () => {
    const { closed, text } = pipeline(portal.environment.PORT, 5_000);
    await closed;
    expect(text().split('HTTP/1.1 200').length - 1).toBeLessThan(5_000);
    expect((await portal.call('GET', '/api/config')).status).toBe(200);
  });

  test('answers 20 pipelined requests of one connection', async () => {
    const { socket, text } = pipeline(portal.environment.PORT, 20);
    await until('all are answered', () => text().split('HTTP/1.1 200').length - 1 === 20);
    socket.destroy();
  });
});

describe('requests for files that one connection sends at once without reading the responses', () => {
  let portal: TestApp;
  let webRoot: string;
  let file: string;
  let socket: Socket;
  beforeAll(async () => {
    webRoot = await mkdtemp(join(tmpdir(), 'portal-web-'));
    file = join(webRoot, 'app', 'assets', 'large.js');
    await mkdir(join(webRoot, 'app', 'assets'), { recursive: true });
    await writeFile(file, '');
    // More than the buffers of a connection hold, so that the transfer is still running.
    await truncate(file, 64 * 2 ** 20);
    portal = await startTestApp({ WEB_ROOT: webRoot });
  });
  afterAll(async () => {
    socket.destroy();
    await portal.close();
    await rm(webRoot, { recursive: true });
  });

  /** File descriptors of this process that refer to the file. */
  function timesOpen(): number {
    const { dev, ino } = statSync(file);
    return readdirSync('/dev/fd').filter((descriptor) => {
      try {
        const found = fstatSync(Number(descriptor));
        return found.dev === dev && found.ino === ino;
      } catch {
        // The descriptor that listed the folder is closed by now.
        return false;
      }
    }).length;
  }

  test('keep one file open, and none after the connection closes', async () => {
    const { PORT } = portal.environment;
    ({ socket } = pipeline(PORT, limits.requestsWaitingPerConnection, '/assets/large.js'));
    socket.pause();
    await until('the first file is open', () => timesOpen() > 0);
    // By the time other connections have been served, requests handled in parallel would all have opened the file.
    const headers = { range: 'bytes=0-0' };
    for (let turn = 0; turn < 5; turn++) {
      expect((await portal.call('GET', '/assets/large.js', { headers })).status).toBe(206);
    }
    await until('one file is open', () => timesOpen() === 1);
    socket.destroy();
    await until('no file is open', () => timesOpen() === 0);
  }, 30_000);
});
