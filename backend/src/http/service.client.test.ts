import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { HostedIdentity, json, startHostedIdentity } from '../testing/hosted.identity.js';
import { until } from '../testing/until.js';
import { jsonOf, ServiceClient } from './service.client.js';

const unavailable = { code: 'profile.unavailable', statusCode: 503 };

describe('a request to a configured service', () => {
  let hosted: HostedIdentity;
  let client: ServiceClient;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    hosted = await startHostedIdentity();
    client = clientWith({});
  });
  afterEach(() => hosted.stop());

  const clientWith = (times: ConstructorParameters<typeof ServiceClient>[1]) =>
    new ServiceClient(
      { name: 'Profile service', url: hosted.url, unavailable: 'profile.unavailable' },
      { timeout: 2_000, pause: 60_000, ...times },
    );
  const call = { method: 'POST', headers: { 'X-Key': 'k' }, body: '{}' };
  const send = () => client.send('/a/b', call);

  test('is sent once, unchanged, and its response is read completely', async () => {
    hosted.answer = json({ is: 'there' });
    const answer = await send();
    expect([answer.status, jsonOf(answer)]).toEqual([200, { is: 'there' }]);
    expect(hosted.asked).toEqual([
      { line: 'POST /a/b', headers: expect.objectContaining({ 'X-Key': 'k', 'content-length': '2' }) },
    ]);
  });

  test('is refused with 429 while too many of one owner wait, and sent for another owner', async () => {
    const held: (() => void)[] = [];
    hosted.answer = (_, response) => void held.push(() => response.end('{}'));
    const ask = (owner: string) => client.run(owner, send);
    const waiting = Array.from({ length: limits.serviceCallsAtOncePerOwner }, () => ask('one'));
    await expect(ask('one')).rejects.toMatchObject({
      code: 'service.tooManyCalls',
      statusCode: 429,
      retryAfterSeconds: 1,
      message: 'At most 8 calls of one owner may wait for the profile service at once. Try again in 1 second',
    });
    waiting.push(ask('other'));
    await until('the service has all others', () => held.length === waiting.length);
    held.forEach((release) => release());
    await Promise.all(waiting);
    hosted.answer = json({});
    expect((await ask('one')).status).toBe(200);
  });

  test.each([400, 401, 403, 404, 409, 413, 415, 422, 429])(
    'accepts %i as a response, without a retry',
    async (status) => {
      hosted.answer = json({ message: 'no' }, status);
      expect((await send()).status).toBe(status);
      expect(hosted.asked).toHaveLength(1);
    },
  );

  test('accepts a refusal even if its text is too long or truncated', async () => {
    hosted.answer = (_, response) => void response.writeHead(409).end('x'.repeat(2_000_000));
    expect((await send()).status).toBe(409);
    hosted.answer = (_, response) => void response.writeHead(409).write('{', () => response.destroy());
    expect((await send()).status).toBe(409);
  });

  test.each<[string, HostedIdentity['answer']]>([
    ['500', json({}, 500)],
    ['408', json({}, 408)],
    ['a redirect', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['an oversized body', (_, response) => void response.end('x'.repeat(1_048_577))],
    [
      'a truncated response',
      (_, response) => void response.writeHead(200).write('{', () => response.destroy()),
    ],
    ['a closed connection', (request) => request.destroy()],
  ])(
    '%s is unavailable and not retried, because the service may have processed the request',
    async (_, answer) => {
      hosted.answer = answer;
      await expect(send()).rejects.toMatchObject(unavailable);
      expect(hosted.asked).toHaveLength(1);
    },
  );

  test('fails as unavailable if it times out, and is aborted', async () => {
    let givenUp = 0;
    hosted.answer = (_request, response) => void response.on('close', () => givenUp++);
    client = clientWith({ timeout: 300 });
    await expect(send()).rejects.toMatchObject(unavailable);
    await until('it is given up', () => givenUp === 1);
  });

  test('fails as unavailable if the response never ends', async () => {
    hosted.answer = (_request, response) => void response.writeHead(200).write('{');
    client = clientWith({ timeout: 50 });
    await expect(send()).rejects.toMatchObject(unavailable);
  });

  test('after five failures in a row no request is sent, and refusals do not count as failures', async () => {
    hosted.answer = json({}, 404);
    for (let time = 0; time < 10; time++) await send();
    hosted.answer = json({}, 500);
    for (let time = 0; time < 6; time++) await expect(send()).rejects.toMatchObject(unavailable);
    expect(hosted.asked).toHaveLength(10 + 5);
  });

  test('is sent again after the pause', async () => {
    client = clientWith({ pause: 0 });
    hosted.answer = json({}, 500);
    for (let time = 0; time < 6; time++) await expect(send()).rejects.toMatchObject(unavailable);
    hosted.answer = json({});
    expect((await send()).status).toBe(200);
  });

  test('at most 32 run at once; further ones are refused once 200 wait', async () => {
    // A request that timed out on a busy machine would count as a failure of the service.
    client = clientWith({ timeout: 60_000 });
    const open: (() => void)[] = [];
    hosted.answer = (request, response) => void open.push(() => json({})(request, response));
    const sent = Array.from({ length: 233 }, () => send().catch((error: unknown) => error));
    expect(await sent[232]).toMatchObject(unavailable);
    let answered = 0;
    while (answered < 232) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(open.length).toBeLessThanOrEqual(32);
      for (const answer of open.splice(0)) {
        answer();
        answered++;
      }
    }
    expect(
      (await Promise.all(sent)).filter((each) => (each as { status?: number }).status === 200),
    ).toHaveLength(232);
  }, 20_000);
});
