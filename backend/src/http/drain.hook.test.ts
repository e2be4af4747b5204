import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { until } from '../testing/until.js';
import { seedKey } from '../testing/seed.key.js';
import { startTestApp } from '../testing/test.app.js';
import { DrainState } from './drain.state.js';

test('a preconnected, unused connection does not keep the portal from closing', async () => {
  const portal = await startTestApp();
  const ahead = connect(Number(new URL(portal.url).port), '127.0.0.1');
  const cut = once(ahead, 'close');
  await once(ahead, 'connect');
  // Once this response arrives, the server has accepted the connection above.
  expect((await portal.call('GET', '/health/live')).status).toBe(200);
  await portal.close();
  await cut;
});

test('a request on an open connection is answered just after closing begins, and the connection then closes', async () => {
  const portal = await startTestApp();
  const client = connect(Number(new URL(portal.url).port), '127.0.0.1').setEncoding('utf8');
  const ask = async () => {
    client.write('GET /health/live HTTP/1.1\r\nhost: portal\r\n\r\n');
    return String((await once(client, 'data'))[0]);
  };
  expect(await ask()).toMatch(/^HTTP\/1.1 200[^]*\r\nconnection: keep-alive\r\n/i);
  const [, answer] = await Promise.all([portal.app.close(), ask(), once(client, 'close')]);
  expect(answer).toMatch(/^HTTP\/1.1 200[^]*\r\nconnection: close\r\n/i);
  await portal.close();
});

test('while it drains it is not ready, answers everything else, and each response closes its connection', async () => {
  const portal = await startTestApp();
  const { key } = await seedKey(portal);
  const client = connect(Number(new URL(portal.url).port), '127.0.0.1').setEncoding('utf8');
  client.write('GET /health/live HTTP/1.1\r\nhost: portal\r\n\r\n');
  expect(String((await once(client, 'data'))[0])).toMatch(
    /^HTTP\/1.1 200[^]*\r\nconnection: keep-alive\r\n/i,
  );
  portal.app.get(DrainState).begin();
  const ready = await portal.call('GET', '/health/ready');
  expect([ready.status, ready.body.code]).toEqual([503, 'portal.stopping']);
  const answers = [
    await portal.call('GET', '/health/live'),
    await portal.call('GET', '/api/config'),
    await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': key } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([ready, ...answers].map(({ headers }) => headers.get('connection'))).toEqual(
    Array.from({ length: 4 }, () => 'close'),
  );
  client.write('GET /health/live HTTP/1.1\r\nhost: portal\r\n\r\n');
  const [[answer]] = await Promise.all([once(client, 'data'), once(client, 'close')]);
  expect(answer).toMatch(/^HTTP\/1.1 200[^]*\r\nconnection: close\r\n/i);
  await portal.close();
});

test('a request that has begun when closing begins is answered, and its connection does not hold the portal', async () => {
  const portal = await startTestApp();
  const client = connect(Number(new URL(portal.url).port), '127.0.0.1').setEncoding('utf8');
  client.write(
    'POST /api/v1/auth/email/login HTTP/1.1\r\nhost: portal\r\ncontent-type: application/json\r\n',
  );
  client.write('content-length: 2\r\n\r\n{');
  const server = portal.app.getHttpServer() as Server;
  await until('the request has begun', () => portal.app.get(DrainState).waiting === 1);
  const closing = portal.app.close();
  await until('the server no longer listens', () => !server.listening);
  client.write('}');
  const [[answer]] = await Promise.all([once(client, 'data'), once(client, 'close'), closing]);
  expect(answer).toMatch(/^HTTP\/1.1 400[^]*\r\nconnection: close\r\n/i);
  await portal.close();
});

test('headers above the hundredth are dropped, so that a request is cheap', async () => {
  const portal = await startTestApp();
  const client = connect(Number(new URL(portal.url).port), '127.0.0.1').setEncoding('utf8');
  const many = Array.from({ length: 1_000 }, (_, place) => `x-filler-${place}: 1\r\n`).join('');
  client.write(`GET /health/live HTTP/1.1\r\nhost: portal\r\n${many}\r\n`);
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1.1 200/);
  expect((portal.app.getHttpServer() as Server).maxHeadersCount).toBe(100);
  client.destroy();
  await portal.close();
});
