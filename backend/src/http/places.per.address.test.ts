import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ForumService } from '../forum/forum.service.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { boundConnections } from './places.per.address.js';

describe('requests of one client address', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ TRUST_PROXY: '1' });
  });
  afterAll(() => portal.close());

  const read = (address: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${portal.url}/api/forum/posts`, {
      headers: { 'x-forwarded-for': address },
      ...(signal && { signal }),
    });

  /** Makes every list of posts wait, and lets them all go on when called. */
  function holdLists(): { begun(): number; open(): void } {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const spy = jest.spyOn(portal.app.get(ForumService), 'list').mockImplementation(async () => {
      await gate;
      return { pinned: [], posts: [], next: null, previous: null };
    });
    return { begun: () => spy.mock.calls.length, open: () => (spy.mockRestore(), open()) };
  }

  test('wait in turn beyond 50 at once, while others and health checks go on', async () => {
    const lists = holdLists();
    const most = limits.requestsPerAddress;
    const abort = new AbortController();
    const first = Array.from({ length: most }, () => read('192.0.2.1'));
    await until('the first have begun', () => lists.begun() === most);
    const left = read('192.0.2.1', abort.signal).catch(() => 'left');
    const waiting = Array.from({ length: 10 }, () => read('192.0.2.1'));
    const other = read('192.0.2.2');
    await until('that of another address has begun', () => lists.begun() === most + 1);
    const health = await fetch(`${portal.url}/health/live`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(health.status).toBe(200);
    abort.abort();
    expect(await left).toBe('left');
    expect(lists.begun()).toBe(most + 1);
    lists.open();
    const answers = await Promise.all([...first, ...waiting, other]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(most + 11);
  });
});

describe('connections of one client address', () => {
  let server: Server;
  const opened: Socket[] = [];
  /** A few at a time: the system keeps only some hundred that the server has not accepted yet. */
  const open = async (count: number): Promise<void> => {
    const { port } = server.address() as AddressInfo;
    let accepted = 0;
    server.on('connection', () => accepted++);
    for (let asked = 1; asked <= count; asked++) {
      opened.push(connect(port, '127.0.0.1').on('error', () => undefined));
      if (asked % 200 === 0 || asked === count) await until('they are accepted', () => accepted === asked);
    }
  };
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  const close = (): void => opened.splice(0).forEach((socket) => socket.destroy());
  test('above 2,000 are closed, with a warning, until others end', async () => {
    const portal = await startTestApp();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    server = portal.app.getHttpServer() as Server;
    await open(limits.connectionsPerAddress + 5);
    await until('five are closed', async () => (await connections()) === limits.connectionsPerAddress);
    expect(warned.mock.calls).toEqual([
      [expect.stringMatching(/ has 2000 connections, .* name it in TRUST_PROXY$/)],
    ]);
    warned.mockRestore();
    close();
    await until('all are closed', async () => (await connections()) === 0);
    expect((await fetch(`${portal.url}/health/live`)).status).toBe(200);
    await portal.close();
  }, 30_000);

  test.each([{ hops: 1 }, { addresses: ['127.0.0.0/8'] }])(
    'are not counted for the proxy %j',
    async (proxies) => {
      server = createServer();
      boundConnections(server, proxies);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      await open(limits.connectionsPerAddress + 5);
      await until('all are open', async () => (await connections()) === limits.connectionsPerAddress + 5);
      close();
      await new Promise((resolve) => void server.close(resolve));
    },
    30_000,
  );
});
