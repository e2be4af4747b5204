import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startTestApp } from '../testing/test.app.js';

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
