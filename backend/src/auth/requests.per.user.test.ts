import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { SessionsService } from '../identity/sessions/sessions.service.js';
import { KeysService } from '../keys/keys.service.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

let portal: TestApp;
let owner: SignedUp;
let other: SignedUp;
beforeAll(async () => {
  portal = await startTestApp({ TRUST_PROXY: '1' });
  [owner, other] = [await signUp(portal), await signUp(portal)];
});
afterAll(() => portal.close());

const most = limits.requestsPerUser + limits.requestsWaitingPerUser;
let sender = 0;
/** From an address of its own: those of one address also wait for each other. */
const keysOf = ({ token }: SignedUp, options: RequestInit = {}): Promise<Response> =>
  fetch(`${portal.url}/api/keys`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `192.0.2.${++sender % 256}` },
    ...options,
  });

/** Makes every list of keys wait, and lets them all go on when called. */
function holdLists(): { begun(): number; open(): void } {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const service = portal.app.get(KeysService);
  const real = service.list.bind(service);
  const spy = jest.spyOn(service, 'list').mockImplementation(async (...args) => {
    await gate;
    return real(...args);
  });
  return {
    begun: () => spy.mock.calls.length,
    open: () => {
      spy.mockRestore();
      open();
    },
  };
}

test('of 101 requests of one user 6 run at once, 94 wait without using the database, and one gets 429', async () => {
  const lists = holdLists();
  const looked = jest.spyOn(portal.app.get(SessionsService), 'findUser');
  const sent = Array.from({ length: most + 1 }, () => keysOf(owner));
  const refusal = await Promise.race(sent);
  expect(refusal.status).toBe(429);
  expect(refusal.headers.get('retry-after')).toBe('1');
  expect(await refusal.json()).toMatchObject({ code: 'request.rateLimited' });
  await until('some have begun', () => lists.begun() === limits.requestsPerUser);
  expect(looked).toHaveBeenCalledTimes(limits.requestsPerUser);
  looked.mockRestore();
  lists.open();
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(most);
});

test('the requests of a user do not wait for those of another', async () => {
  const lists = holdLists();
  const sent = Array.from({ length: 20 }, () => keysOf(owner));
  await until('some have begun', () => lists.begun() === limits.requestsPerUser);
  const mine = keysOf(other);
  await until('that of the other begins', () => lists.begun() === limits.requestsPerUser + 1);
  lists.open();
  expect((await mine).status).toBe(200);
  await Promise.all(sent);
});

test('a request whose client leaves while it waits never begins, and those behind it do', async () => {
  const lists = holdLists();
  const running = Array.from({ length: limits.requestsPerUser }, () => keysOf(owner));
  await until('all have begun', () => lists.begun() === limits.requestsPerUser);
  const leaving = new AbortController();
  const left = Array.from({ length: 5 }, () => keysOf(owner, { signal: leaving.signal }).catch(() => 'left'));
  const last = keysOf(owner);
  leaving.abort();
  expect(new Set(await Promise.all(left))).toEqual(new Set(['left']));
  lists.open();
  const statuses = (await Promise.all([...running, last])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a forged token of a user takes none of their places', async () => {
  const lists = holdLists();
  const forged = { ...owner, token: `${owner.token.slice(0, -8)}AAAAAAAA` };
  const answers = await Promise.all(Array.from({ length: most + 1 }, () => keysOf(forged)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  const mine = keysOf(owner);
  await until('that of the user begins', () => lists.begun() === 1);
  lists.open();
  expect((await mine).status).toBe(200);
});

test('a request that waits for too long gets 429', async () => {
  const lists = holdLists();
  const waited = limits.requestWaitMs;
  (limits as { requestWaitMs: number }).requestWaitMs = 50;
  try {
    const running = Array.from({ length: limits.requestsPerUser }, () => keysOf(owner));
    await until('all have begun', () => lists.begun() === limits.requestsPerUser);
    const late = await keysOf(owner);
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
    lists.open();
    expect(new Set((await Promise.all(running)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await keysOf(owner)).status).toBe(200);
  } finally {
    (limits as { requestWaitMs: number }).requestWaitMs = waited;
  }
});
