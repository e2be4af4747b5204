import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { createProject, register, signIn } from '../fixtures/account';
import { machineTest as test, type MachineHandle } from '../fixtures/machine';
import { eventFrame, tapSocket } from '../fixtures/socket';
import { UsagePage } from '../pages/usage.page';

const isRows = (frame: string) => frame.startsWith('42["usage.rows"');

/** A project with `calls` calls and its Usage page open and live, the test between browser and portal. */
async function open(page: Page, request: APIRequestContext, calls = 1) {
  const account = await register(request);
  const { apiKey } = await createProject(request, account, {
    projectName: 'Live',
    whitelistURL: ['https://live.example.org'],
  });
  const call = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const answer = await request.get('/api/v1/key', { headers: { 'X-API-Key': apiKey } });
      expect(answer.status()).toBe(200);
    }
  };
  await call(calls);
  const socket = await tapSocket(page);
  await signIn(page, account);
  const usage = new UsagePage(page);
  // A first row may come live while the list is still being read, and the reading then finds later calls, too.
  const read = page.waitForResponse(
    (answer) => new URL(answer.url()).pathname === '/api/usage' && answer.ok(),
  );
  await usage.goto();
  await usage.expectLive();
  await read;
  await expect(usage.rows).toHaveCount(calls);
  return { socket, usage, call };
}

const taken = async (realtime: MachineHandle) => (await realtime.history()).flatMap((step) => step.taken);

test('a connection that breaks is tried again after a pause and shows each call once', async ({
  page,
  request,
  machine,
}) => {
  const { socket, usage, call } = await open(page, request);
  await socket.cut();
  await machine('realtime').is('reconnecting');
  await call(2);
  await usage.expectLive();
  await expect(usage.rows).toHaveCount(3);
  await expect(usage.figure('Calls')).toHaveText('3');
  expect(socket.count()).toBe(2);
});

test('calls whose message was lost are read as soon as the next one shows the gap', async ({
  page,
  request,
  machine,
}) => {
  const { socket, usage, call } = await open(page, request);
  let lost = 0;
  socket.lose((frame) => isRows(frame) && ++lost > 0);
  await call(2);
  await expect.poll(() => lost).toBeGreaterThan(0);
  await expect(usage.rows).toHaveCount(1);
  socket.lose(() => false);
  await call(1);
  await expect(usage.rows).toHaveCount(4);
  await expect(usage.figure('Calls')).toHaveText('4');
  await usage.expectLive();
  expect(await taken(machine('realtime'))).toContain('live.current: at once');
});

test('a gap that cannot be read starts the connection over, and then nothing is missing', async ({
  page,
  request,
  machine,
}) => {
  const { socket, usage, call } = await open(page, request);
  let lost = 0;
  socket.lose((frame) => isRows(frame) && ++lost > 0);
  await call(2);
  await expect.poll(() => lost).toBeGreaterThan(0);
  await page.route('**/api/usage?*after=*', (route) => route.fulfill({ status: 503, body: 'resting' }));
  socket.lose(() => false);
  await call(1);
  await machine('realtime').is('reconnecting');
  await page.unroute('**/api/usage?*after=*');
  await usage.expectLive();
  await expect(usage.rows).toHaveCount(4);
});

test('rows announced at a reconnect that do not arrive are read after 2 seconds', async ({
  page,
  request,
  machine,
}) => {
  await page.clock.install();
  const { socket, usage, call } = await open(page, request);
  socket.lose(isRows);
  await socket.cut();
  await call(2);
  await page.clock.fastForward(10_000);
  await machine('realtime').is('live');
  await page.clock.fastForward(2_000);
  await expect(usage.rows).toHaveCount(3);
  expect(
    (await taken(machine('realtime'))).filter((name) => name.includes('missingPatience')),
  ).not.toHaveLength(0);
});

test('told of more calls than it can be sent, or of a jump too far to fill, the page reads again', async ({
  page,
  request,
  machine,
}) => {
  const { socket, usage, call } = await open(page, request);
  socket.lose(isRows);
  await call(2);
  const { head } = await machine('realtime').context<{ head: number }>();
  socket.say(eventFrame('usage.summary', { calls: 2, errors: 0, from: head + 1, to: head + 2 }));
  await expect(usage.rows).toHaveCount(3);
  await expect(usage.figure('Calls')).toHaveText('3');

  await call(1);
  const far = { rows: [{ seq: head + 5_000 }], seq: head + 5_000 };
  socket.say(eventFrame('usage.rows', far));
  await expect(usage.rows).toHaveCount(4);
  await machine('realtime').is('live.current');
});

test('a portal that accepts and says nothing is given up after 10 seconds, again and again', async ({
  page,
  request,
  machine,
}) => {
  await page.clock.install();
  const { socket, usage } = await open(page, request);
  // The portal's own sign of life, every 25 s.
  socket.say('2');
  // A connection that has stood for 5 s counts as steady: the pauses begin small again.
  await page.clock.fastForward(5_000);
  socket.mute(true);
  await socket.cut();
  for (const attempt of [2, 3, 4]) {
    await machine('realtime').is('reconnecting.waiting');
    await page.clock.fastForward(30_000);
    await machine('realtime').is('reconnecting.trying');
    await expect.poll(() => socket.count()).toBe(attempt);
    await page.clock.fastForward(10_000);
  }
  await machine('realtime').is('reconnecting.waiting');
  await expect(usage.connection).toHaveText(/^Reconnecting/);
  // Coming back to the page does not wait for the pause to end.
  socket.mute(false);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await usage.expectLive();
});

test('a browser that calls itself offline asks after 10 seconds all the same', async ({
  page,
  context,
  request,
  machine,
}) => {
  await page.clock.install();
  const { usage, call } = await open(page, request);
  await context.setOffline(true);
  await machine('realtime').is('reconnecting.offline');
  await call(1);
  const probes = async () =>
    (await taken(machine('realtime'))).filter((name) => name.includes('offlineProbe')).length;
  for (const probe of [1, 2]) {
    await page.clock.fastForward(10_000);
    await expect.poll(probes).toBeGreaterThanOrEqual(probe);
    await machine('realtime').is('reconnecting.offline');
  }
  await context.setOffline(false);
  await usage.expectLive();
  await expect(usage.rows).toHaveCount(2);
});
