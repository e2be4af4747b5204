import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signUp } from '../testing/sign.up.js';
import { openLive } from '../testing/open.live.js';
import { WAITS } from '../config/waits.js';
import { withWait } from '../testing/with.wait.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { serverTimeouts } from './server.timeouts.js';

const byteEveryMs = 20;
const host = 'host: localhost\r\n';
const jsonHead = `${host}content-type: application/json\r\ncontent-length: 100000\r\n\r\n`;

/** A connection that sends `head` and then, if `byte` is given, repeats that byte until it is closed. */
async function trickle(portal: TestApp, head: string, byte?: string) {
  const socket = connect(portal.environment.PORT, '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  // The last bytes may be sent to a closed connection.
  socket.on('error', () => undefined);
  if (head !== '') socket.write(head);
  const timer = setInterval(() => {
    if (byte === undefined || socket.destroyed) return;
    bytes++;
    socket.write(byte);
  }, byteEveryMs);
  const closed = once(socket, 'close').then(() => clearInterval(timer));
  return { closed, answer: () => answer, bytes: () => bytes, socket };
}

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
const timedOut = { statusCode: 408, error: 'Request Timeout', code: 'request.timedOut' };

describe('requests that arrive too slowly', () => {
  let portal: TestApp;
  const timeouts = {
    requestTimeout: 1_200,
    headersTimeout: 600,
    timeout: 1_000,
    connectionsCheckingInterval: 50,
  };
  const open: Socket[] = [];
  beforeAll(async () => {
    portal = await startTestApp({}, { timeouts });
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await portal.close();
  });
  const slow = async (head: string, byte?: string) => {
    const connection = await trickle(portal, head, byte);
    open.push(connection.socket);
    return connection;
  };

  test.each([
    ['a route of the portal', `POST /api/v1/auth/email/login HTTP/1.1\r\n${jsonHead}`],
    ['an unknown address', `POST /nowhere HTTP/1.1\r\n${jsonHead}`],
    ['a metered route', `GET /api/v1/key HTTP/1.1\r\n${jsonHead}`],
  ])(
    'a body sent one byte at a time to %s is cut at the limit, while other requests are answered',
    async (_name, head) => {
      const connection = await slow(head, ' ');
      await until('the body trickles in', () => connection.bytes() > 5);
      expect((await portal.call('GET', '/health/live')).status).toBe(200);
      expect((await portal.call('GET', '/health/ready')).status).toBe(200);
      await connection.closed;
      expect(connection.bytes()).toBeLessThan(1000);
    },
  );

  test('a client that sends a body too slowly gets a 408 with an error code, and the connection closes', async () => {
    const connection = await slow(`POST /api/v1/auth/email/login HTTP/1.1\r\n${jsonHead}`, ' ');
    await connection.closed;
    expect(connection.answer()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(connection.answer()).toMatch(/\r\nconnection: close\r\n/i);
    expect(connection.answer()).toContain('\r\ncontent-type: application/json; charset=utf-8\r\n');
    expect(connection.answer()).toContain('\r\ncache-control: no-store\r\n');
    expect(bodyOf(connection.answer())).toMatchObject(timedOut);
  });

  test('headers sent one byte at a time are cut at their own, shorter limit with a 408 and an error code', async () => {
    const connection = await slow(`GET /health/live HTTP/1.1\r\n${host}x-slow: `, 'a');
    await connection.closed;
    expect(connection.answer()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(bodyOf(connection.answer())).toMatchObject(timedOut);
    expect(connection.bytes() * byteEveryMs).toBeLessThan(timeouts.requestTimeout);
  });

  test('a connection that sends nothing at all is cut', async () => {
    const connection = await slow('');
    await connection.closed;
    expect(connection.bytes()).toBe(0);
  });

  test('a connection that was upgraded to a socket stays open past every limit', async () => {
    const user = await signUp(portal);
    const live = await openLive(portal.url, { token: user.token });
    await live.resume(0);
    // Waits until a request that began after the upgrade is cut at its limit.
    await (
      await slow(`POST /nowhere HTTP/1.1\r\n${jsonHead}`, ' ')
    ).closed;
    expect(live.socket.connected).toBe(true);
    live.socket.disconnect();
  });

  test('a request that is not HTTP, or has too many headers, gets an error with a code', async () => {
    const garbage = await slow('NONSENSE\r\n\r\n');
    await garbage.closed;
    expect(bodyOf(garbage.answer())).toMatchObject({ statusCode: 400, code: 'request.invalid' });
    const large = await slow(`GET / HTTP/1.1\r\n${host}x-large: ${'a'.repeat(20_000)}\r\n\r\n`);
    await large.closed;
    expect(bodyOf(large.answer())).toMatchObject({ statusCode: 431, code: 'request.headersTooLarge' });
  });
});

describe('a response larger than the buffers of its connection', () => {
  const bytes = 32 * 2 ** 20;
  const timeouts = { timeout: 1_000, connectionsCheckingInterval: 50 };
  const graceMs = 300;
  let webRoot: string;
  let portal: TestApp;
  let socket: Socket;
  beforeAll(async () => {
    webRoot = await mkdtemp(join(tmpdir(), 'portal-web-'));
    const file = join(webRoot, 'app', 'assets', 'large.js');
    await mkdir(join(webRoot, 'app', 'assets'), { recursive: true });
    await writeFile(file, '');
    await truncate(file, bytes);
    portal = await startTestApp({ WEB_ROOT: webRoot }, { timeouts });
  });
  afterEach(() => void socket.destroy());
  afterAll(async () => {
    await portal.close();
    await rm(webRoot, { recursive: true });
  });
  const ask = async () => {
    socket = connect(portal.environment.PORT, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET /assets/large.js HTTP/1.1\r\n${host}connection: close\r\n\r\n`);
  };
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      (portal.app.getHttpServer() as Server).getConnections((error, count) =>
        error ? reject(error) : resolve(count),
      ),
    );

  test('is cut if its client reads nothing', async () => {
    await ask();
    await once(socket, 'readable');
    await until('the connection is cut', async () => (await connections()) === 0, 4_000);
  });

  test('is cut if its client reads some bytes now and then, but less than 8 kB a second', async () => {
    // Without Node's own time-out, which cuts clients that read nothing at all.
    const own = jest.replaceProperty(portal.app.getHttpServer() as Server, 'timeout', 0);
    await ask();
    own.restore();
    socket.on('readable', () => undefined);
    const timer = setInterval(() => socket.read(64), 20);
    await withWait(portal.app.get(WAITS), 'slowReaderMs', graceMs, () =>
      until('the connection is cut', async () => (await connections()) === 0, 4_000),
    ).finally(() => clearInterval(timer));
  });

  test('arrives complete if its client reads slowly, however long that takes', async () => {
    await ask();
    const startedAt = performance.now();
    const tookMs = 3 * timeouts.timeout;
    let arrived = 0;
    socket.on('data', (chunk: Buffer) => {
      arrived += chunk.length;
      const early = startedAt + (arrived / bytes) * tookMs - performance.now();
      if (early <= 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), early);
    });
    await withWait(portal.app.get(WAITS), 'slowReaderMs', graceMs, () => once(socket, 'end'));
    expect(arrived).toBeGreaterThan(bytes);
    expect(performance.now() - startedAt).toBeGreaterThan(2 * timeouts.timeout);
  }, 20_000);
});

describe('the time-outs of the portal', () => {
  test('are set on the listening server: 30 s for a request, 10 s for its headers, checked every second, and 120 s for a client that reads nothing', async () => {
    const portal = await startTestApp();
    const server = portal.app.getHttpServer() as Server;
    const { requestTimeout, headersTimeout, keepAliveTimeout, timeout } = server;
    await portal.close();
    expect({ requestTimeout, headersTimeout, keepAliveTimeout, timeout }).toEqual({
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 72_000,
      timeout: 120_000,
    });
    expect(serverTimeouts).toEqual({
      requestTimeout,
      headersTimeout,
      keepAliveTimeout,
      timeout,
      connectionsCheckingInterval: 1_000,
    });
  });
});
