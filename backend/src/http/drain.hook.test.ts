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
