import { expect, type Page, type Route } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { machineOf, machineTest as test } from '../fixtures/machine';
import {
  allAre,
  endingAt,
  expectNoneEnded,
  openTabs,
  returnWith,
  storedIn,
  storeSilently,
} from '../fixtures/session';
import { unsignedToken } from '../fixtures/token';

const warning = (tab: Page) => tab.getByText(/^Your session ends at /);

async function signOutByMenu(tab: Page): Promise<void> {
  await tab.bringToFront();
  await tab.getByRole('button', { name: /^Account menu/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await machineOf(tab)('session').is('signedOut');
}

async function allShow(tabs: Page[], email: string): Promise<void> {
  for (const tab of tabs) await expect(tab.getByRole('main')).toContainText(email);
}

test('eight tabs share one session: each knows its user, one renews for all, one signs all out', async ({
  page,
  context,
  request,
}) => {
  const refreshes: string[] = [];
  context.on('request', (sent) => sent.url().endsWith('/api/v1/auth/refresh') && refreshes.push(sent.url()));
  await context.clock.install();
  const account = await endingAt(context, await register(request), Date.now() + 600_000);
  await signIn(page, account);
  const tabs = await openTabs(page, 8, '/settings');
  await allShow(tabs, account.email);

  await context.clock.fastForward('09:05');
  await allAre(tabs, 'signedIn.expiring');
  for (const tab of tabs) await expect(warning(tab)).toBeVisible();
  await tabs[4]!.bringToFront();
  await tabs[4]!.getByRole('button', { name: 'Stay signed in' }).click();
  for (const tab of tabs) await expect(warning(tab)).toBeHidden();
  await allAre(tabs, 'signedIn.current');
  const { accessToken } = await storedIn(page);
  expect(accessToken).not.toBe(account.accessToken);
  for (const tab of tabs)
    expect(await machineOf(tab)('session').context()).toMatchObject({
      accessToken,
      refreshToken: account.refreshToken,
    });
  expect(refreshes).toHaveLength(1);
  await expectNoneEnded(tabs);

  await signOutByMenu(tabs[7]!);
  for (const tab of tabs) await expect(tab).toHaveURL('/login');
  expect(await storedIn(page)).toEqual({});
});

test('eight tabs follow to another person, who signed in in one of them, and show nobody else', async ({
  page,
  request,
}) => {
  const [first, second] = [await register(request), await register(request)];
  await signIn(page, first);
  const tabs = await openTabs(page, 8, '/settings');
  await allShow(tabs, first.email);

  await storeSilently(tabs[2]!, second);
  await tabs[2]!.reload();
  await allShow(tabs, second.email);
  for (const tab of tabs) await expect(tab.getByText(first.email)).toHaveCount(0);
  await allAre(tabs, 'signedIn.current');
  await expectNoneEnded(tabs);
});

for (const how of ['passport-token is taken away as well', 'everything is cleared'])
  test(`without accessToken a session lives on in passport-token, in every tab; when ${how}, all sign out`, async ({
    page,
    request,
  }) => {
    await signIn(page, await register(request));
    const tabs = await openTabs(page, 3, '/settings');
    const [one, ...others] = tabs as [Page, ...Page[]];
    await one.evaluate(() => localStorage.removeItem('accessToken'));
    for (const tab of others) {
      await expect.poll(() => storedIn(tab)).not.toHaveProperty('accessToken');
      await tab.reload();
    }
    await allAre(tabs, 'signedIn.current');
    await expectNoneEnded(tabs);

    await one.evaluate(
      (isAll) => (isAll ? localStorage.clear() : localStorage.removeItem('passport-token')),
      how === 'everything is cleared',
    );
    for (const tab of others) {
      await expect(tab).toHaveURL('/login');
      await expect(
        tab.getByText('You signed out in another tab, or your session ended.').first(),
      ).toBeVisible();
    }
    // Where nothing is left, the others remove nothing more that this tab would hear of; the next page finds out.
    if (how === 'everything is cleared') {
      const sidebar = one.getByRole('navigation', { name: 'Portal' });
      await sidebar.getByRole('link', { name: 'My Projects' }).click();
    }
    await expect(one).toHaveURL('/login');
    expect(await storedIn(one)).toEqual({});
  });

test('an expired or unreadable token stored by one tab logs all out fully, and one sign-in brings all back', async ({
  page,
  request,
}) => {
  const account = await register(request);
  await signIn(page, account);
  const tabs = await openTabs(page, 4, '/settings');
  for (const bad of [unsignedToken(Date.now() - 60_000), 'not.a.token']) {
    await page.evaluate((token) => localStorage.setItem('accessToken', token), bad);
    await page.goto('/settings');
    for (const tab of tabs) await expect(tab).toHaveURL('/login');
    await expect.poll(() => storedIn(page)).toEqual({});
    await allAre(tabs, 'signedOut');
    // Signed out, a bad token is removed again and changes nothing else.
    await page.evaluate((token) => localStorage.setItem('accessToken', token), bad);
    await expect.poll(() => storedIn(page)).toEqual({});
    await allAre(tabs, 'signedOut');

    const fresh = await register(request);
    await returnWith(page, fresh);
    await allAre(tabs, 'signedIn.current');
    for (const tab of tabs) {
      await expect(tab).toHaveURL('/');
      expect(await machineOf(tab)('session').context()).toMatchObject({ accessToken: fresh.accessToken });
    }
  }
});

test('eight tabs let go end together, and a sign-in made while they still wait for the passport is kept by all', async ({
  page,
  context,
  request,
}) => {
  const held: Route[] = [];
  await context.route('**/api/v1/auth/logout', (route) => void held.push(route));
  await context.clock.install();
  const account = await endingAt(context, await register(request), Date.now() + 600_000);
  const next = await register(request);
  await signIn(page, account);
  const tabs = await openTabs(page, 8, '/faq');
  await context.clock.fastForward('10:01');
  const states = await Promise.all(tabs.map((tab) => machineOf(tab)('session').state()));
  // Who heard of the cleared storage before its own timer is signed out already.
  expect(states.filter((state) => state !== 'signedOut')).toContain('endingSession.expired');
  expect(states.filter((state) => state?.startsWith('signedIn'))).toEqual([]);
  expect(await storedIn(page)).toEqual({});

  await storeSilently(page, next);
  await allAre(tabs.slice(1), 'signedIn.current');
  await context.clock.fastForward(10_000);
  await Promise.all(held.map((route) => route.abort().catch(() => {})));
  await allAre(tabs.slice(1), 'signedIn.current');
  const { accessToken, refreshToken } = next;
  expect(await storedIn(page)).toMatchObject({ accessToken, refreshToken });
  for (const tab of tabs.slice(1))
    expect(await machineOf(tab)('session').context()).toMatchObject({ accessToken, refreshToken });
});

test("'Stay signed in' pressed in time is kept although another tab saw the end first and cleared the storage", async ({
  page,
  context,
  request,
}) => {
  let held: Route | undefined;
  await context.route('**/api/v1/auth/refresh', (route) => void (held = route));
  await context.clock.install();
  const endsAt = Date.now() + 600_000;
  const account = await endingAt(context, await register(request), endsAt);
  await signIn(page, account);
  await openTabs(page, 1, '/faq');
  const session = machineOf(page)('session');
  await context.clock.fastForward(endsAt - 3_000 - (await page.evaluate(() => Date.now())));
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await session.is('signedIn.extending');
  // The call itself is given up after 10 seconds.
  await context.clock.fastForward(3_500);

  const other = await context.newPage();
  await other.goto('/faq');
  await machineOf(other)('session').is('signedOut');
  await expect.poll(() => storedIn(page)).toEqual({});
  // The page has heard of it, and of every other change that comes before its answer.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await session.is('signedIn.extending');
  await expectNoneEnded([page]);

  await held!.continue();
  await allAre([page, other], 'signedIn.current');
  const { accessToken, refreshToken } = await storedIn(page);
  expect(refreshToken).toBe(account.refreshToken);
  const user = await request.get('/api/v1/auth/user', {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(user.status()).toBe(200);
});
