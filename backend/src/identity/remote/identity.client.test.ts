import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { foreignToken, HostedIdentity, json, startHostedIdentity } from '../../testing/hosted.identity.js';
import { until } from '../../testing/until.js';
import { IdentityClient } from './identity.client.js';

const unavailable = { code: 'identity.unavailable', statusCode: 503 };

describe('a request to a hosted identity service', () => {
  let hosted: HostedIdentity;
  let client: IdentityClient;
  const token = foreignToken();
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    hosted = await startHostedIdentity();
    client = clientWith({});
  });
  afterEach(() => hosted.stop());

  const clientWith = (times: ConstructorParameters<typeof IdentityClient>[1]) =>
    new IdentityClient(
      { url: hosted.url, subscriptionKey: 'a-key' },
      { timeout: 2_000, retryDelay: 1, pause: 60_000, ...times },
    );
  const user = { id: 'u-1', email: 'a@example.com' };

  test('is one request with the bearer token and the subscription key', async () => {
    hosted.answer = json(user);
    expect(await client.readUser(token)).toMatchObject({ subject: 'u-1', email: 'a@example.com' });
    expect(hosted.asked).toHaveLength(1);
    expect(hosted.asked[0]).toMatchObject({
      line: 'GET /api/v1/auth/user',
      headers: { Authorization: `Bearer ${token}`, 'Ocp-Apim-Subscription-Key': 'a-key' },
    });
  });

  test.each([400, 401, 403, 422])('refuses the token on %i, without a second request', async (status) => {
    hosted.answer = json({ message: 'no' }, status);
    expect(await client.readUser(token)).toBeNull();
    expect(hosted.asked).toHaveLength(1);
  });

  test.each<[string, HostedIdentity['answer']]>([
    ['500', json({}, 500)],
    ['503', json({}, 503)],
    ['408', json({}, 408)],
    ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['an empty response', (_, response) => void response.writeHead(200).end()],
    ['HTML', (_, response) => void response.writeHead(200).end('<!doctype html>')],
    ['JSON that is no user', json(['u-1'])],
    ['a user without id', json({ email: 'a@example.com' })],
    ['a user whose id is empty', json({ id: '' })],
    ['a user whose id is an object', json({ id: { $ne: null } })],
    ['a user whose id holds a null byte', json({ id: 'u\0' })],
    ['an oversized user', json({ id: 'u-1', bio: 'x'.repeat(100_000) })],
    ['a truncated response', (_, response) => (response.write('{"id":'), response.destroy())],
    ['a closed connection', (request) => request.destroy()],
  ])('%s counts as unavailable, after one retry', async (_, answer) => {
    hosted.answer = answer;
    await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
    expect(hosted.asked).toHaveLength(2);
  });

  // A 404 of a temporarily misrouted service must sign nobody out.
  test.each([404, 410, 429])(
    '%i counts as unavailable, is not retried and does not open the circuit breaker',
    async (status) => {
      hosted.answer = json({}, status);
      for (let time = 0; time < 10; time++)
        await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
      expect(hosted.asked).toHaveLength(10);
      hosted.answer = json(user);
      expect(await client.readUser(token)).toMatchObject({ subject: 'u-1' });
    },
  );

  test('a refused connection counts as unavailable', async () => {
    await hosted.stop();
    await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
    await hosted.start();
  });

  test('a retry makes up for one failure', async () => {
    hosted.answer = (request, response) =>
      hosted.asked.length === 1 ? request.destroy() : json(user)(request, response);
    expect(await client.readUser(token)).toMatchObject({ subject: 'u-1' });
  });

  test('a time-out aborts the request and retries once', async () => {
    let givenUp = 0;
    hosted.answer = (_request, response) => void response.on('close', () => givenUp++);
    client = clientWith({ timeout: 500 });
    await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
    expect(hosted.asked).toHaveLength(2);
    await until('both requests are given up', async () => givenUp === 2);
  });

  test('an endless response is aborted too', async () => {
    hosted.answer = (_request, response) => void response.writeHead(200).write('{');
    client = clientWith({ timeout: 20 });
    await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
  });

  test('after five failures in a row no request is sent, and refusals do not count as failures', async () => {
    for (let time = 0; time < 10; time++) {
      hosted.answer = json({}, time % 2 === 0 ? 400 : 401);
      expect(await client.readUser(token)).toBeNull();
    }
    hosted.answer = json({}, 500);
    for (let time = 0; time < 4; time++)
      await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
    expect(hosted.asked).toHaveLength(10 + 5);
    hosted.answer = json(user);
    await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
    expect(hosted.asked).toHaveLength(10 + 5);
  });

  test('after the pause one request tests the service, and all continue if it is back', async () => {
    client = clientWith({ pause: 0 });
    hosted.answer = json({}, 500);
    for (let time = 0; time < 3; time++)
      await expect(client.readUser(token)).rejects.toMatchObject(unavailable);
    hosted.answer = json(user);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.readUser(token)));
    expect(answers.every((answer) => answer?.subject === 'u-1')).toBe(true);
  });

  test('at most 32 requests run at once; further ones are refused once 500 wait', async () => {
    client = clientWith({ timeout: 20_000 });
    const open: (() => void)[] = [];
    hosted.answer = (request, response) => void open.push(() => json(user)(request, response));
    const asked = Array.from({ length: 533 }, () =>
      client.readUser(token).then(
        () => 'read',
        (error: unknown) => error,
      ),
    );
    expect(await asked[532]).toMatchObject(unavailable);
    let answered = 0;
    while (answered < 532) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(open.length).toBeLessThanOrEqual(32);
      for (const answer of open.splice(0)) {
        answer();
        answered++;
      }
    }
    expect((await Promise.all(asked)).filter((outcome) => outcome === 'read')).toHaveLength(532);
  }, 20_000);

  test('of new tokens 16 are checked at once and 250 wait; tokens that were valid before skip that queue', async () => {
    client = clientWith({ timeout: 20_000 });
    const open: (() => void)[] = [];
    hosted.answer = (request, response) =>
      request.headers.authorization?.endsWith(token)
        ? json(user)(request, response)
        : void open.push(() => json({}, 401)(request, response));
    const isNew = true;
    const asked = Array.from({ length: 267 }, (_, i) =>
      client.readUser(foreignToken({ sub: `new-${i}` }), { isNew }).catch((error: unknown) => error),
    );
    expect(await asked[266]).toMatchObject(unavailable);
    await until('sixteen are asked about', () => open.length === 16);
    expect(await client.readUser(token)).toMatchObject({ subject: 'u-1' });
    expect(open).toHaveLength(16);
    let answered = 0;
    while (answered < 266) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(open.length).toBeLessThanOrEqual(16);
      for (const answer of open.splice(0)) {
        answer();
        answered++;
      }
    }
    expect((await Promise.all(asked)).filter((outcome) => outcome === null)).toHaveLength(266);
  }, 20_000);

  test.each([true, false])(
    'a request that waits for a slot as long as a request and its retry may take is refused (new: %p)',
    async (isNew) => {
      hosted.answer = () => undefined;
      client = clientWith({ timeout: 1_000 });
      const filling = Array.from({ length: 32 }, (_, i) =>
        client.readUser(foreignToken({ sub: `filling-${i}` }), { isNew }).catch((error: unknown) => error),
      );
      const places = isNew ? 16 : 32;
      await until('all places are taken', () => hosted.asked.length === places);
      await expect(client.readUser(token, { isNew })).rejects.toMatchObject(unavailable);
      for (const outcome of await Promise.all(filling)) expect(outcome).toMatchObject(unavailable);
      // No request was sent for callers whose time ran out before a slot became free.
      const askedOfLast = hosted.asked.filter(({ headers }) => headers.Authorization === `Bearer ${token}`);
      expect(askedOfLast).toHaveLength(0);
    },
  );
});
