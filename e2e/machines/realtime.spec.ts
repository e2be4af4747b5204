import { expect } from '@playwright/test';
import { createProject, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { eventFrame, tapSocket } from '../fixtures/socket';
import { call, ownSite, registerWithKey } from '../fixtures/usage';
import { UsagePage } from '../pages/usage.page';

const isRows = (frame: string) => frame.startsWith('42["usage.rows"');

test('the live connection times out, reconnects and fills gaps, and the page shows each call once', async ({
  page,
  context,
  request,
  machine,
}) => {
  await page.clock.install();
  const { account, apiKey } = await registerWithKey(request, 'Live');
  const socket = await tapSocket(page);
  await signIn(page, account);
  const usage = new UsagePage(page);
  const realtime = machine('realtime');
  let calls = 0;
  const make = async (times: number) => {
    calls += times;
    expect(await call(request, apiKey, times)).toEqual(Array(times).fill(200));
  };
  const expectAll = () => expect(usage.rows).toHaveCount(calls);
  const taken = async (name: string) =>
    (await realtime.history())
      .flatMap((step) => step.taken)
      .filter((transition) => transition.includes(name));
  /** Makes calls whose frames are dropped, then lets frames through again. */
  const makeLost = async (times: number) => {
    let lost = 0;
    socket.lose((frame) => isRows(frame) && ++lost > 0);
    await make(times);
    await expect.poll(() => lost).toBeGreaterThan(0);
    socket.lose(() => false);
  };

  await test.step('a connection without a response times out after 10 s, every time', async () => {
    await make(1);
    socket.setSilent(true);
    await usage.goto();
    await expect.poll(() => socket.count()).toBe(1);
    await realtime.is('connecting');
    await page.clock.fastForward(10_000);
    for (const attempt of [2, 3]) {
      await realtime.is('reconnecting.waiting');
      await page.clock.fastForward(30_000);
      await realtime.is('reconnecting.trying');
      await expect.poll(() => socket.count()).toBe(attempt);
      await page.clock.fastForward(10_000);
    }
    await realtime.is('reconnecting.waiting');
    await expect(usage.connection).toHaveText(/^Reconnecting/);
    // Returning to the page ends the delay.
    socket.setSilent(false);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await usage.expectLive();
    await expectAll();
  });

  await test.step('a broken connection reconnects after a delay', async () => {
    // A ping as the portal sends it every 25 s. After 5 s of a stable connection the delays are reset.
    socket.say('2');
    await page.clock.fastForward(5_000);
    const before = socket.count();
    await socket.cut();
    await realtime.is('reconnecting');
    await make(2);
    await usage.expectLive();
    await expectAll();
    expect(socket.count()).toBe(before + 1);
  });

  await test.step('calls whose frame was lost are fetched as soon as the next frame shows the gap', async () => {
    const shown = calls;
    await makeLost(2);
    await expect(usage.rows).toHaveCount(shown);
    await make(1);
    await expectAll();
    await usage.expectLive();
    expect(await taken('live.current: at once')).not.toEqual([]);
  });

  await test.step('a failed fetch of missing calls reconnects', async () => {
    await makeLost(2);
    await page.route('**/api/usage?*after=*', (route) => route.fulfill({ status: 503, body: 'resting' }));
    await make(1);
    await realtime.is('reconnecting');
    await page.unroute('**/api/usage?*after=*');
    await usage.expectLive();
    await expectAll();
  });

  await test.step('calls announced at a reconnect that do not arrive are fetched after 2 s', async () => {
    socket.lose(isRows);
    await socket.cut();
    await make(2);
    await page.clock.fastForward(10_000);
    await realtime.is('live');
    await page.clock.fastForward(2_000);
    await expectAll();
    expect(await taken('missingPatience')).not.toEqual([]);
  });

  await test.step('the page refetches after it receives a summary instead of calls, or after a gap that is too large to fill', async () => {
    await usage.pause.click();
    await make(2);
    const { head } = await realtime.context<{ head: number }>();
    socket.say(eventFrame('usage.summary', { calls: 2, errors: 0, from: head + 1, to: head + 2 }));
    await expect(usage.paused).toHaveText('Paused, 0 or more new');
    await usage.resume.click();
    await expectAll();
    await expect(usage.figure('Calls')).toHaveText(String(calls));

    await make(1);
    socket.say(eventFrame('usage.rows', { rows: [{ seq: head + 5_000 }], seq: head + 5_000 }));
    await expectAll();
    await realtime.is('live.current');
    socket.lose(() => false);
  });

  await test.step('a project created elsewhere appears in the filters', async () => {
    await createProject(request, account, { projectName: 'Elsewhere', whitelistURL: [ownSite] });
    await expect.poll(() => taken('live: project.changed')).not.toEqual([]);
    await usage.choose(usage.project, 'Elsewhere');
    await expect(page.getByText('No calls match these filters')).toBeVisible();
    await usage.clearFilters.first().click();
    await expectAll();
  });

  await test.step('the page still tries to reconnect every 10 s while the browser reports being offline', async () => {
    await context.setOffline(true);
    await realtime.is('reconnecting.offline');
    await make(1);
    for (const probe of [1, 2]) {
      await page.clock.fastForward(10_000);
      await expect.poll(async () => (await taken('offlineProbe')).length).toBeGreaterThanOrEqual(probe);
      await realtime.is('reconnecting.offline');
    }
    await context.setOffline(false);
    await usage.expectLive();
    await expectAll();
    await expect(usage.figure('Calls')).toHaveText(String(calls));
  });

  await test.step('a refused token stops the connection, and the session continues because the portal still accepts the token', async () => {
    const session = machine('session');
    const before = (await session.history()).length;
    const asked = page.waitForResponse('**/api/v1/auth/user');
    await realtime.send({ type: 'socket.refused' });
    await realtime.is('stopped');
    await expect(usage.connection).toHaveText(/^Not connected/);
    expect((await asked).status()).toBe(200);
    await expect(usage.heading).toBeVisible();
    const since = (await session.history()).slice(before).map(({ to }) => to);
    expect(since.filter((state) => !state.startsWith('signedIn'))).toEqual([]);
  });
});
