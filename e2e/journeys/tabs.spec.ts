import { expect, type Page, type Route } from '@playwright/test';
import { register, signIn, userCall } from '../fixtures/account';
import { machineOf, machineTest as test } from '../fixtures/machine';
import {
  allAre,
  endingAt,
  expectNoneEnded,
  openTabs,
  plainPage,
  returnWith,
  storedIn,
  storeSilently,
} from '../fixtures/session';
import { unsignedToken } from '../fixtures/token';

const minute = 60_000;
const warning = (tab: Page) => tab.getByText(/^Your session ends at /);

async function allShow(tabs: Page[], email: string): Promise<void> {
  for (const tab of tabs)
    await expect(tab.getByRole('button', { name: `Account menu: ${email}` })).toBeVisible();
}

async function allAtSignIn(tabs: Page[]): Promise<void> {
  for (const tab of tabs) await expect(tab).toHaveURL('/login');
}

/** Expects that each tab has these tokens. */
async function allHold(tabs: Page[], tokens: { accessToken: string; refreshToken?: string }): Promise<void> {
  for (const tab of tabs) expect(await machineOf(tab)('session').context()).toMatchObject(tokens);
}

test('eight tabs share one session: one renews it for all, another user replaces it, and it ends in all', async ({
  page,
  context,
  request,
}) => {
  const refreshes: string[] = [];
  context.on('request', (sent) => sent.url().endsWith('/api/v1/auth/refresh') && refreshes.push(sent.url()));
  await context.clock.install();
  const account = await endingAt(context, await register(request), Date.now() + 10 * minute);
  const other = await endingAt(context, await register(request), Date.now() + 20 * minute);
  const next = await endingAt(context, await register(request), Date.now() + 60 * minute);
  await signIn(page, account);
  const tabs = await openTabs(page, 8, plainPage);

  await test.step('each tab shows the signed-in user', () => allShow(tabs, account.email));
  await test.step('all tabs warn, and one click on Stay signed in renews the session in all', async () => {
    await context.clock.fastForward('09:05');
    await allAre(tabs, 'signedIn.expiring');
    for (const tab of tabs) await expect(warning(tab)).toBeVisible();
    await tabs[4]!.bringToFront();
    await tabs[4]!.getByRole('button', { name: 'Stay signed in' }).click();
    for (const tab of tabs) await expect(warning(tab)).toBeHidden();
    await allAre(tabs, 'signedIn.current');
    const { accessToken = '' } = await storedIn(page);
    expect(accessToken).not.toBe(account.accessToken);
    await allHold(tabs, { accessToken, refreshToken: account.refreshToken });
    expect(refreshes).toHaveLength(1);
  });
  await test.step('all tabs switch to another user who signs in in one of them', async () => {
    await storeSilently(tabs[2]!, other);
    await tabs[2]!.reload();
    await allShow(tabs, other.email);
    for (const tab of tabs)
      await expect(tab.getByRole('button', { name: `Account menu: ${account.email}` })).toHaveCount(0);
    await allAre(tabs, 'signedIn.current');
    await expectNoneEnded(tabs);
  });
  await test.step('all tabs end the session together, and keep a sign-in stored while they wait for the passport', async () => {
    const held: Route[] = [];
    await context.route('**/api/v1/auth/logout', (route) => void held.push(route));
    await context.clock.fastForward('12:00');
    const states = await Promise.all(tabs.map((tab) => machineOf(tab)('session').state()));
    // A tab that sees the cleared storage before its own timer fires is already signed out.
    expect(states.filter((state) => state !== 'signedOut')).toContain('endingSession.expired');
    expect(states.filter((state) => state?.startsWith('signedIn'))).toEqual([]);
    expect(await storedIn(page)).toEqual({});

    await storeSilently(page, next);
    await allAre(tabs.slice(1), 'signedIn.current');
    await context.clock.fastForward(10_000);
    await Promise.all(held.map((route) => route.abort().catch(() => {})));
    await context.unroute('**/api/v1/auth/logout');
    await allAre(tabs.slice(1), 'signedIn.current');
    const { accessToken, refreshToken } = next;
    expect(await storedIn(page)).toMatchObject({ accessToken, refreshToken });
    await allHold(tabs.slice(1), { accessToken, refreshToken });
  });
});

test('removed or invalid tokens and a sign-out in one tab end the session in all tabs, and one sign-in restores it in all', async ({
  page,
  context,
  request,
}) => {
  await signIn(page, await register(request));
  const tabs = await openTabs(page, 3, plainPage);
  const [one, ...others] = tabs as [Page, ...Page[]];
  /** Signs in a new account in the first tab, which signs in the others too. */
  const comeBack = async (how: 'by the callback' | 'by the storage') => {
    const fresh = await register(request);
    if (how === 'by the callback') await returnWith(one, fresh);
    else {
      await storeSilently(one, fresh);
      await one.goto(plainPage);
    }
    await allAre(tabs, 'signedIn.current');
    await allHold(tabs, { accessToken: fresh.accessToken });
    for (const tab of others) await expect(tab).toHaveURL('/');
    return fresh;
  };

  await test.step('without accessToken the session continues from passport-token', async () => {
    await one.evaluate(() => localStorage.removeItem('accessToken'));
    for (const tab of others) {
      await expect.poll(() => storedIn(tab)).not.toHaveProperty('accessToken');
      await tab.reload();
    }
    await allAre(tabs, 'signedIn.current');
    await expectNoneEnded(tabs);
  });
  await test.step('without passport-token as well, all tabs sign out and say why', async () => {
    await one.evaluate(() => localStorage.removeItem('passport-token'));
    await allAtSignIn(tabs);
    for (const tab of others)
      await expect(
        tab.getByText('You signed out in another tab, or your session ended.').first(),
      ).toBeVisible();
    expect(await storedIn(one)).toEqual({});
  });
  await test.step('an expired token stored by one tab signs all out, and an unreadable one is removed at once', async () => {
    await comeBack('by the callback');
    const storeToken = (bad: string) =>
      one.evaluate((token) => localStorage.setItem('accessToken', token), bad);
    await storeToken(unsignedToken(Date.now() - minute));
    await one.goto(plainPage);
    await allAtSignIn(tabs);
    await expect.poll(() => storedIn(one)).toEqual({});
    await allAre(tabs, 'signedOut');
    await storeToken('not.a.token');
    await expect.poll(() => storedIn(one)).toEqual({});
    await allAre(tabs, 'signedOut');
  });
  await test.step('cleared storage signs out the other tabs at once, and the tab itself at its next page', async () => {
    await comeBack('by the storage');
    for (const tab of others) await tab.goto(plainPage);
    await one.evaluate(() => localStorage.clear());
    await allAtSignIn(others);
    const sidebar = one.getByRole('navigation', { name: 'Portal' });
    await sidebar.getByRole('link', { name: 'My Projects' }).click();
    await expect(one).toHaveURL('/login');
    expect(await storedIn(one)).toEqual({});
  });
  await test.step('a manual sign-out removes the session’s keys, signs out every tab and revokes the token', async () => {
    const { accessToken } = await comeBack('by the storage');
    for (const tab of others) await tab.goto(plainPage);
    await one.evaluate(() => {
      for (const name of ['bedrock-x', 'wagmi.store', '@appkit/y', 'cbwsdk.store', 'passport-user'])
        localStorage.setItem(name, '{}');
      localStorage.setItem('source', 'docs');
      localStorage.setItem('submittedProjects', '[]');
    });
    await one.bringToFront();
    const asked = context.waitForEvent('request', (sent) => sent.url().endsWith('/api/v1/auth/logout'));
    await one.getByRole('button', { name: /^Account menu/ }).click();
    await one.getByRole('menuitem', { name: 'Sign out' }).click();
    expect((await asked).headers().authorization).toBe(`Bearer ${accessToken}`);
    await allAtSignIn(tabs);
    expect(await storedIn(one)).toEqual({ source: 'docs', submittedProjects: '[]' });
    const user = await userCall(request, accessToken);
    expect(user.status()).toBe(401);
  });
});

test("'Stay signed in' clicked in time renews the session even if another tab saw its end first and cleared the storage", async ({
  page,
  context,
  request,
}) => {
  let held: Route | undefined;
  await context.route('**/api/v1/auth/refresh', (route) => void (held = route));
  await context.clock.install();
  const endsAt = Date.now() + 10 * minute;
  const account = await endingAt(context, await register(request), endsAt);
  await signIn(page, account);
  await openTabs(page, 1, '/faq');
  const session = machineOf(page)('session');
  await context.clock.fastForward(endsAt - 3_000 - (await page.evaluate(() => Date.now())));
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await session.is('signedIn.extending');
  // Passes the end of the session, but not the request's own time-out of 10 seconds.
  await context.clock.fastForward(3_500);

  const other = await context.newPage();
  await other.goto('/faq');
  await machineOf(other)('session').is('signedOut');
  await expect.poll(() => storedIn(page)).toEqual({});
  // Makes the page read the cleared storage again, which does not end the wait for the response either.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await session.is('signedIn.extending');
  await expectNoneEnded([page]);

  await held!.continue();
  await allAre([page, other], 'signedIn.current');
  const { accessToken, refreshToken } = await storedIn(page);
  expect(refreshToken).toBe(account.refreshToken);
  const user = await userCall(request, accessToken);
  expect(user.status()).toBe(200);
});
