import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { socketPath } from '@orange-id/contract/socket.events';
import { once } from 'node:events';
import { fstatSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AddressInfo, connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { RateWindow } from '../metered/rate.window.js';
import { createBoundedServer, serialized } from './pipelined.requests.js';

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
    const listener = serialized(({ url = '' }, response) => {
      begun.push({ url, response });
      response.on('close', () => ended++);
    });
    server = createBoundedServer({}, listener).listen(0, '127.0.0.1');
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

  test('are limited in number over all connections; closing one makes room, and one request at a time always works', async () => {
    const connections = limits.requestsWaiting / limits.requestsWaitingPerConnection;
    const full = Array.from({ length: connections }, () =>
      pipeline(portOf(), limits.requestsWaitingPerConnection + 1),
    );
    await until('each connection has begun a request', () => begun.length === connections);
    const tooMany = pipeline(portOf(), 2);
    await tooMany.closed;
    const single = pipeline(portOf(), 1);
    await until('it begins', () => begun.length === connections + 2);

    full[0]?.socket.destroy();
    await until('its request and that of the cut connection are aborted', () => ended === 2);
    const next = pipeline(portOf(), 2);
    await until('it begins', () => begun.length === connections + 3);
    begun.at(-1)?.response.end('first');
    await until('the one behind it begins', () => begun.length === connections + 4);
    for (const { socket } of [...full, single, next]) socket.destroy();
    await until('all are aborted', () => ended === begun.length);
  });

  test('let others in between: of all connections, one waiting request begins in a turn of the event loop', async () => {
    let turn = 0;
    const turnOf: number[] = [];
    const server = createBoundedServer(
      {},
      serialized((_request, response) => {
        turnOf.push(turn);
        response.end();
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    let isCounting = true;
    const count = (): void => {
      turn++;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    const connections = 5;
    const each = 20;
    const all = Array.from({ length: connections }, () =>
      pipeline((server.address() as AddressInfo).port, each),
    );
    await until('all are answered', () => turnOf.length === connections * each);
    isCounting = false;
    // The first requests of connections begin when they arrive.
    expect(new Set(turnOf).size).toBeGreaterThanOrEqual(connections * (each - 1));
    for (const { socket } of all) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });

  test('do not start if the address of their client is already unknown', async () => {
    const { socket, closed } = pipeline(portOf(), 0);
    const [accepted] = (await once(server, 'connection')) as [Socket];
    Object.defineProperty(accepted, 'remoteAddress', { value: undefined });
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await closed;
    expect(begun).toEqual([]);
  });
});

describe('a body in many pieces', () => {
  const send = async (pieces: number, isRead: boolean, bytes = 1) => {
    const chunk = `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n`;
    let kept = () => 0;
    const server = createBoundedServer({}, (request, response) => {
      kept = () => request.readableLength;
      request.on('error', () => undefined);
      if (isRead) request.resume().on('end', () => response.end('read'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('error', () => undefined).on('data', (data) => (text += data.toString()));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const head = 'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
    socket.write(`${head}${chunk.repeat(pieces)}0\r\n\r\n`);
    await closed;
    await new Promise((resolve) => void server.close(resolve));
    return { text, kept: kept() };
  };

  test.each([true, false])('closes its connection if they are too many (read: %s)', async (isRead) => {
    const { text, kept } = await send(100_000, isRead);
    expect(text).toBe('');
    expect(kept).toBeLessThan(2 * limits.bodyPieces);
  });

  test('is cut after the response, too', async () => {
    const server = createBoundedServer({}, (_request, response) => void response.end('early'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connection = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('early');
    const [served] = (await connection) as [Socket];
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const rest = '1\r\na\r\n'.repeat(100_000);
    socket.write(`${rest}0\r\n\r\n`, () => socket.end());
    await closed;
    expect(served.bytesRead).toBeLessThan(rest.length / 2);
    await new Promise((resolve) => void server.close(resolve));
  });

  test.each([
    [limits.bodyPieces, 1],
    [10 * limits.bodyPieces, limits.bodyPieceBytes],
  ])('is read if they are not: %i of %i bytes', async (pieces, bytes) => {
    expect((await send(pieces, true, bytes)).text).toMatch(/^HTTP\/1.1 200 [^]*read/);
  });
});

/** As an attacker sends them: one response that is never read, then small requests in one packet. */
function behindUnread(port: number, requests: string): { closed: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.pause();
  socket.write('GET /api/docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: a\r\n\r\n');
  socket.write(requests, () => socket.resume());
  return { closed };
}

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

  test.each([
    { kind: 'calls of the API', request: 'GET /api/v1/key HTTP/1.1\r\nhost: a\r\n\r\n' },
    { kind: 'requests without a Host header', request: 'GET /api/v1/key HTTP/1.1\r\n\r\n' },
    {
      kind: 'requests with an unknown expectation',
      request: 'GET / HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n\r\n',
    },
    {
      kind: 'requests that are told to continue',
      request: 'GET / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n\r\n',
    },
    { kind: 'preflights', request: 'OPTIONS /api/v1/key HTTP/1.1\r\nhost: a\r\n\r\n' },
  ])('closes a connection that sends 1,650 $kind behind a response', async ({ request }) => {
    const metered = jest.spyOn(RateWindow.prototype, 'isOver');
    await behindUnread(portal.environment.PORT, request.repeat(1_650)).closed;
    expect(metered.mock.calls.length).toBeLessThanOrEqual(limits.requestsWaitingPerConnection);
    metered.mockRestore();
  });

  test('neither starts nor logs requests that arrive in the packet for which their connection is cut', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const metered = jest.spyOn(RateWindow.prototype, 'isOver');
    const page = 'GET /api/config HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(
      limits.requestsWaitingPerConnection + 2,
    );
    const call = 'GET /api/v1/key HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100);
    const upgrade = `GET ${socketPath}/?EIO=4&transport=websocket HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: ${'a'.repeat(22)}==\r\nsec-websocket-version: 13\r\n\r\n`;
    const socket = connect(portal.environment.PORT, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(page + call + upgrade);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect((await portal.call('GET', '/api/config')).status).toBe(200);
    expect(metered.mock.calls).toEqual([]);
    expect(log.mock.calls).toEqual([]);
    metered.mockRestore();
    log.mockRestore();
  });

  test('answers 400 to a request without a Host header', async () => {
    const socket = connect(portal.environment.PORT, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    socket.write('GET /api/config HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('The Host header is missing');
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

test('a connection that is cut builds no more of the requests it has sent, and its parser serves others', async () => {
  let built = 0;
  class Counted extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      built++;
    }
  }
  const listener = serialized((_request, response) => void (isHeld ? undefined : response.end('answer')));
  let isHeld = true;
  const server = createBoundedServer({ IncomingMessage: Counted }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const sent = Array.from({ length: 5 }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(1_500));
      await once(socket, 'close');
    });
    await Promise.all(sent);
    // The one in progress, those that wait, and the one too many.
    expect(built).toBe(5 * (limits.requestsWaitingPerConnection + 2));
    isHeld = false;
    for (let i = 0; i < 10; i++) {
      const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
      expect(await answer.text()).toBe('answer');
    }
  } finally {
    await new Promise((resolve) => void server.close(resolve));
  }
});
