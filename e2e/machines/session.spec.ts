import { expect, type Route } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';
import { storedIn, storeSilently } from '../fixtures/session';
import { unsignedToken } from '../fixtures/token';

type Answer = (route: Route) => unknown;
const silence: Answer = () => undefined;
const lost: Answer = (route) => route.abort();
const refused: Answer = (route) => route.fulfill({ status: 401, json: { message: 'no' } });
const json =
  (body: unknown): Answer =>
  (route) =>
    route.fulfill({ json: body });

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
const notice = /^Your session ends at /;

test('a session starts, is renewed, replaced, refused and ended in every way', async ({ page, machine }) => {
  const session = machine('session');
  let user: Answer = silence;
  let refresh: Answer = silence;
  let passport: Answer = silence;
  const loaded = json({ id: 'user-1', email: 'ada@example.com', displayName: null });
  await page.clock.install();
  // The live connection opens and receives nothing.
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route('**/api/v1/settings/version', lost);
  await page.route('**/api/v1/auth/user', (route) => user(route));
  await page.route('**/api/v1/auth/refresh', (route) => refresh(route));
  await page.route('**/api/v1/auth/logout', (route) => passport(route));

  const now = () => page.evaluate(() => Date.now());
  const pass = (ms: number) => page.clock.fastForward(ms);
  /** Tokens of that user which expire in `inMs` by the page's clock. */
  const ending = async (inMs: number, sub = 'user-1') => ({
    accessToken: unsignedToken((await now()) + inMs, sub),
    refreshToken: `refresh-${sub}`,
  });
  const clear = () => page.evaluate(() => localStorage.clear());
  const storeBad = () => page.evaluate(() => localStorage.setItem('accessToken', 'not.a.token'));
  /** Makes the page read the storage, as when it becomes visible again. */
  const show = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  /** Signs in from the storage, as after a sign-in in another tab. */
  const enter = async (inMs: number, sub = 'user-1') => {
    user = loaded;
    await storeSilently(page, await ending(inMs, sub));
    await show();
    await session.is('signedIn.current');
  };
  const open = () => page.goto('/faq');

  await test.step('the session starts without a token, with an unreadable one or with a valid one', async () => {
    await open();
    await session.is('signedOut');
    await storeBad();
    await page.reload();
    await session.is('signedOut');
    expect(await storedIn(page)).toEqual({});
    await storeBad();
    await show();
    expect(await storedIn(page)).toEqual({});
    await storeSilently(page, await ending(10 * minute));
    await show();
    await session.is('loadingUser');
    user = loaded;
    await page.reload();
    await session.is('signedIn.current');
    await show();
    await session.is('signedIn.current');
  });

  await test.step('another user’s token is refused, or their request fails or gets no response', async () => {
    user = refused;
    await storeSilently(page, await ending(10 * minute, 'user-2'));
    await show();
    await session.is('signedOut');
    expect(await storedIn(page)).toEqual({ refreshToken: 'refresh-user-2' });
    user = lost;
    await storeSilently(page, await ending(10 * minute));
    await show();
    await session.is('loadingUser');
    await expect(async () => {
      await pass(second);
      expect(await session.state()).toBe('signedIn.current');
    }).toPass();
    user = silence;
    await storeSilently(page, await ending(10 * minute, 'user-3'));
    await show();
    await session.is('loadingUser');
    await show();
    await pass(15 * second);
    await session.is('signedIn.current');
    await storeSilently(page, await ending(10 * minute, 'user-4'));
    await show();
    await session.is('loadingUser');
  });

  await test.step('a manual sign-out ends the session even if the passport does not respond or fails', async () => {
    await session.send({ type: 'session.end' });
    await session.is('endingSession.leaving');
    await show();
    await pass(5 * second);
    await expect(page).toHaveURL('/login');
    passport = lost;
    await open();
    await enter(10 * minute);
    await session.send({ type: 'session.end' });
    await expect(page).toHaveURL('/login');
    expect(await storedIn(page)).toEqual({});
  });

  await test.step('the session warns before its end, is renewed here and elsewhere, and ends', async () => {
    await open();
    await enter(10 * minute);
    await storeSilently(page, await ending(20 * minute));
    await pass(9 * minute + 5 * second);
    await session.is('signedIn.current');
    await pass(10 * minute);
    await expect(page.getByText(notice)).toBeVisible();
    await storeSilently(page, await ending(10 * minute));
    await pass(minute);
    await session.is('signedIn.current');
    await pass(8 * minute + 30 * second);
    await session.is('signedIn.expiring');
    await page.clock.setSystemTime((await now()) - 2 * minute);
    await pass(31 * second);
    await session.is('signedIn.expiring');
    refresh = json({ accessToken: (await ending(10 * minute)).accessToken });
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await session.is('signedIn.current');
    await expect(page.getByText(notice)).toBeHidden();

    await pass(9 * minute + 57 * second);
    let held: Route | undefined;
    refresh = (route) => (held = route);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await expect.poll(() => held).toBeDefined();
    // Passes the end of the session, but not the request's own time-out of 10 seconds.
    await pass(5 * second);
    await clear();
    await show();
    await session.is('signedIn.extending');
    await held!.fulfill({ status: 500, body: 'no' });
    passport = json({});
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Session Expired', { exact: true })).toBeVisible();
  });

  await test.step('the session ends a minute early without a refresh token, on time after two months, and at once with a bad token', async () => {
    await open();
    await enter(10 * minute);
    await page.evaluate(() => {
      localStorage.removeItem('refreshToken');
      localStorage.removeItem('passport-token');
    });
    await show();
    await session.is('signedIn.current');
    await pass(9 * minute);
    await expect(page).toHaveURL('/login');

    await open();
    await enter(60 * day);
    await pass(25 * day);
    await pass(25 * day);
    await session.is('signedIn.current');
    await pass(11 * day);
    await expect(page).toHaveURL('/login');

    await open();
    await enter(10 * minute);
    passport = silence;
    await storeBad();
    await show();
    await session.is('endingSession.expired');
  });

  await test.step('a sign-in stored without an event while the session ends is kept', async () => {
    await enter(10 * minute, 'user-2');
    let held: Route | undefined;
    passport = (route) => (held = route);
    await storeBad();
    await show();
    await session.is('endingSession.expired');
    await expect.poll(() => held).toBeDefined();
    const next = await ending(10 * minute, 'user-3');
    await storeSilently(page, next);
    await held!.fulfill({ status: 204 });
    await session.is('signedIn.current');
    expect(await storedIn(page)).toMatchObject(next);
  });

  await test.step('the service refuses the session, also in its last minute, and another tab ends it', async () => {
    await session.send({ type: 'user.refused' });
    await expect(page.getByText('Signed Out', { exact: true })).toBeVisible();
    await enter(10 * minute);
    await pass(9 * minute + 30 * second);
    await session.is('signedIn.expiring');
    await session.send({ type: 'user.refused' });
    await expect(page.getByText('Session Expired', { exact: true })).toBeVisible();
    await enter(10 * minute);
    await clear();
    await show();
    await session.is('signedOut');
    await expect(page.getByText('Signed Out', { exact: true })).toBeVisible();
  });
});
