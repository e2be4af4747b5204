import { expect, type Page, type Route } from '@playwright/test';
import { register, signIn, signOutElsewhere } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { endingAt, expectNoneEnded, storedIn, storeSilently } from '../fixtures/session';
import { installWallet } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

/** The first words of every warning, as they were given to the console. */
function listenToWarnings(page: Page): Promise<unknown>[] {
  const first: Promise<unknown>[] = [];
  page.on('console', (message) => {
    const [said] = message.args();
    if (message.type() === 'warning' && said) first.push(said.jsonValue());
  });
  return first;
}

/** Holds the calls to an address until they are answered. */
async function hold(page: Page, address: string): Promise<{ next(): Promise<Route> }> {
  const routes: Route[] = [];
  await page.route(address, (route) => void routes.push(route));
  return {
    next: async () => {
      await expect.poll(() => routes.length).toBeGreaterThan(0);
      return routes.shift() as Route;
    },
  };
}

test('by hand: the passport first, its failure only a warning, then the storage, then /login', async ({
  page,
  request,
  machine,
}) => {
  const warnings = listenToWarnings(page);
  const account = await register(request);
  await signIn(page, account);
  await page.goto('/settings');
  await machine('session').is('signedIn.current');
  const passport = await hold(page, '**/api/v1/auth/logout');
  await signOut(page);
  const call = await passport.next();
  expect(call.request().headers().authorization).toBe(`Bearer ${account.accessToken}`);
  await machine('session').is('endingSession.leaving');
  expect(await storedIn(page)).toMatchObject({ accessToken: account.accessToken });
  await expect(page).toHaveURL('/settings');
  expect(warnings).toEqual([]);

  await call.fulfill({ status: 500, body: 'no' });
  await expect(page).toHaveURL('/login');
  expect(await storedIn(page)).toEqual({});
  expect(await Promise.all(warnings)).toEqual(['Error during Bedrock Passport signOut']);
});

test('by hand: a passport that never answers holds nobody back for more than 5 seconds', async ({
  page,
  request,
  machine,
}) => {
  const warnings = listenToWarnings(page);
  await page.clock.install();
  await signIn(page, await register(request));
  await page.goto('/');
  await machine('session').is('signedIn.current');
  const passport = await hold(page, '**/api/v1/auth/logout');
  await signOut(page);
  await passport.next();
  await machine('session').is('endingSession.leaving');
  await page.clock.fastForward(5_000);
  await expect(page).toHaveURL('/login');
  expect(await storedIn(page)).toEqual({});
  expect(await Promise.all(warnings)).toEqual(['Error during Bedrock Passport signOut']);
});

test('60 s before expiry without a refresh token: the storage first, then the passport, then /login', async ({
  page,
  context,
  request,
  machine,
}) => {
  const warnings = listenToWarnings(page);
  await page.clock.install();
  const account = await endingAt(context, await register(request), Date.now() + 600_000);
  await signIn(page, account);
  await page.goto('/faq');
  await page.evaluate((accessToken) => {
    localStorage.removeItem('refreshToken');
    localStorage.setItem('passport-token', JSON.stringify({ state: { accessToken }, version: 0 }));
    localStorage.setItem('wagmi.store', '{}');
    localStorage.setItem('source', 'docs');
  }, account.accessToken);
  await page.goto('/settings');
  await machine('session').is('signedIn.current');
  const passport = await hold(page, '**/api/v1/auth/logout');
  await page.clock.fastForward('08:30');
  await machine('session').is('signedIn.current');
  await page.clock.fastForward('00:31');
  const call = await passport.next();
  expect(call.request().headers().authorization).toBe(`Bearer ${account.accessToken}`);
  await machine('session').is('endingSession.expired');
  expect(await storedIn(page)).toEqual({ source: 'docs' });
  await expect(page).toHaveURL('/settings');
  await expect(page.getByText('Session Expired', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stay signed in' })).toHaveCount(0);
  await call.fulfill({ status: 204 });
  await expect(page).toHaveURL('/login');
  expect(warnings).toEqual([]);
});

test('a machine that slept past the expiry logs out when it wakes', async ({ page, request, machine }) => {
  await page.clock.install();
  await signIn(page, await register(request));
  await page.goto('/settings');
  await machine('session').is('signedIn.current');
  await page.clock.fastForward('03:00:00');
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your session has expired. Redirecting to login...').first()).toBeVisible();
  expect(await storedIn(page)).toEqual({});
});

test('a session of two months is waited for in slices that a browser can wait', async ({
  page,
  context,
  request,
  machine,
}) => {
  const day = 86_400_000;
  await page.clock.install();
  await signIn(page, await endingAt(context, await register(request), Date.now() + 60 * day));
  await page.goto('/faq');
  await machine('session').is('signedIn.current');
  await page.clock.fastForward(25 * day);
  await page.clock.fastForward(25 * day);
  await machine('session').is('signedIn.current');
  await page.clock.fastForward(10 * day - 30_000);
  await machine('session').is('signedIn.expiring');
});

test('a renewal stored without a word is found before the warning and before the end', async ({
  page,
  context,
  request,
  machine,
}) => {
  await page.clock.install();
  const account = await register(request);
  const now = Date.now();
  const [first, second, third] = [
    await endingAt(context, account, now + 600_000),
    await endingAt(context, account, now + 1_200_000),
    await endingAt(context, account, now + 1_800_000),
  ];
  await signIn(page, first);
  await page.goto('/faq');
  await machine('session').is('signedIn.current');
  await storeSilently(page, second);
  await page.clock.fastForward('09:05');
  await machine('session').is('signedIn.current');
  expect(await machine('session').context()).toMatchObject({ accessToken: second.accessToken });
  await page.clock.fastForward('10:00');
  await machine('session').is('signedIn.expiring');
  await storeSilently(page, third);
  await page.clock.fastForward('01:00');
  await machine('session').is('signedIn.current');
  expect(await machine('session').context()).toMatchObject({ accessToken: third.accessToken });
  await expectNoneEnded([page]);
});

test('a sign-in stored without a word while the end waits for the passport is kept', async ({
  page,
  context,
  request,
  machine,
}) => {
  await page.clock.install();
  await signIn(page, await endingAt(context, await register(request), Date.now() + 600_000));
  await page.goto('/faq');
  await machine('session').is('signedIn.current');
  const passport = await hold(page, '**/api/v1/auth/logout');
  await page.clock.fastForward('10:01');
  const call = await passport.next();
  const next = await register(request);
  await storeSilently(page, next);
  await call.fulfill({ status: 204 });
  await machine('session').is('signedIn.current');
  expect(await storedIn(page)).toMatchObject({
    accessToken: next.accessToken,
    refreshToken: next.refreshToken,
  });
  await expect(page).toHaveURL('/faq');
});

test('a clock set back in the last minute gives the session its time back, and no more', async ({
  page,
  context,
  request,
  machine,
}) => {
  await page.clock.install();
  const now = Date.now();
  await signIn(page, await endingAt(context, await register(request), now + 600_000));
  await page.goto('/faq');
  await machine('session').is('signedIn.current');
  await page.clock.fastForward('09:30');
  await machine('session').is('signedIn.expiring');
  await page.clock.setSystemTime(now + 480_000);
  await page.clock.fastForward('00:31');
  await machine('session').is('signedIn.expiring');
  await expectNoneEnded([page]);
  await page.clock.fastForward('01:30');
  await expect(page).toHaveURL('/login');
  expect(await storedIn(page)).toEqual({});
});

test('a refused refresh says so, leaves the rest of the minute, and a second click asks again', async ({
  page,
  request,
  machine,
}) => {
  const refused: number[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/api/v1/auth/refresh')) refused.push(answer.status());
  });
  await page.clock.install();
  await signIn(page, { ...(await register(request)), refreshToken: 'nobody gave this one' });
  await page.goto('/faq');
  await machine('session').is('signedIn.current');
  await page.clock.fastForward('59:05');
  const stay = page.getByRole('button', { name: 'Stay signed in' });
  for (const tries of [1, 2]) {
    await stay.click();
    await expect.poll(() => refused).toEqual(Array(tries).fill(401));
    await expect(page.getByText(/^We couldn’t extend your session\. It ends at /)).toBeVisible();
    await machine('session').is('signedIn.expiring');
  }
  await page.clock.fastForward('01:00');
  await expect(page).toHaveURL('/login');
  expect(await storedIn(page)).toEqual({});
  expect(refused).toHaveLength(2);
});

test.describe('the user call', () => {
  test('that hangs: loading ends after 15 seconds, and the page is there', async ({
    page,
    request,
    machine,
  }) => {
    await page.clock.install();
    await signIn(page, await register(request));
    await page.route('**/api/v1/auth/user', () => {});
    await page.goto('/projects');
    await machine('session').is('loadingUser');
    await page.clock.fastForward(9_000);
    await machine('session').is('loadingUser');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
    await page.clock.fastForward(6_000);
    await machine('session').is('signedIn.current');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Projects');
  });

  test('is given up after 10 seconds and asked once more 1 second later', async ({
    page,
    request,
    machine,
  }) => {
    const account = await register(request);
    await page.clock.install();
    await page.addInitScript(() => {
      const { fetch } = window;
      window.fetch = (...request) => {
        const isFirst = sessionStorage.getItem('asked') === null;
        if (isFirst && String(request[0]).endsWith('/api/v1/auth/user'))
          sessionStorage.setItem('asked', String(Date.now()));
        return fetch(...request);
      };
    });
    await signIn(page, account);
    const asked: Route[] = [];
    const givenUp: string[] = [];
    page.on('requestfailed', (sent) => void givenUp.push(new URL(sent.url()).pathname));
    await page.route('**/api/v1/auth/user', (route) => void asked.push(route));
    await page.goto('/settings');
    await expect.poll(() => asked.length).toBe(1);
    await page.clock.pauseAt((await page.evaluate(() => Number(sessionStorage.getItem('asked')))) + 9_000);
    // The call may leave some time after its ten seconds began; the machine's own test holds them to the millisecond.
    await page.clock.runFor(500);
    expect(givenUp).toEqual([]);
    await page.clock.runFor(600);
    await expect.poll(() => givenUp).toEqual(['/api/v1/auth/user']);
    await page.clock.runFor(700);
    expect(asked).toHaveLength(1);
    await page.clock.runFor(300);
    await expect.poll(() => asked.length).toBe(2);
    await page.clock.resume();
    await asked[1]!.continue();
    await expect(page.getByRole('main')).toContainText(account.email);
    await machine('session').is('signedIn.current');
    expect(asked).toHaveLength(2);
  });

  for (const status of [401, 403])
    test(`answered ${status} removes accessToken and passport-token, nothing else, and is not repeated`, async ({
      page,
      request,
    }) => {
      let asked = 0;
      const account = await register(request);
      await signIn(page, account);
      await page.goto('/faq');
      await page.evaluate(() => {
        localStorage.setItem('source', 'docs');
        localStorage.setItem('passport-user', '{}');
      });
      await page.route('**/api/v1/auth/user', (route) => {
        asked += 1;
        return route.fulfill({ status, json: { message: 'no' } });
      });
      await page.goto('/projects');
      await expect(page).toHaveURL('/login');
      expect(await storedIn(page)).toEqual({
        refreshToken: account.refreshToken,
        'passport-user': '{}',
        source: 'docs',
      });
      expect(asked).toBe(1);
    });

  test('answered 500 twice signs nobody out, and the next page opened asks again', async ({
    page,
    request,
    machine,
  }) => {
    const account = await register(request);
    let asked = 0;
    await signIn(page, account);
    await page.route('**/api/v1/auth/user', (route) => {
      asked += 1;
      return route.fulfill({ status: 500, body: 'broken' });
    });
    await page.goto('/projects');
    await machine('session').is('signedIn.current');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Projects');
    expect(asked).toBe(2);
    await page.unroute('**/api/v1/auth/user');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await expect(page.getByRole('main')).toContainText(account.email);
  });
});

test.describe('a session refused by the service while a page is open', () => {
  test('says the service ended it, and by a clock five minutes behind leads nowhere twice', async ({
    page,
    request,
    machine,
  }) => {
    const account = await register(request);
    const opened: string[] = [];
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) opened.push(new URL(frame.url()).pathname);
    });
    await page.clock.install({ time: Date.now() - 5 * 60_000 });
    await signIn(page, account);
    await page.goto('/projects');
    await machine('realtime').is('live');
    await signOutElsewhere(request, account);
    await expect(page.getByText('Signed Out', { exact: true })).toBeVisible();
    await expect(
      page.getByText('Your session ended on another device, or it expired.', { exact: false }).first(),
    ).toBeVisible();
    await expect(page).toHaveURL('/login');
    await page.clock.fastForward(30_000);
    await machine('session').is('signedOut');
    expect(opened.filter((path, index) => path !== opened[index - 1])).toEqual(['/projects', '/login']);
    expect(await storedIn(page)).toEqual({ refreshToken: account.refreshToken });
  });

  test("in its last minute says it has expired: the service's clock is a little ahead", async ({
    page,
    request,
    machine,
  }) => {
    const account = await register(request);
    await page.clock.install();
    await signIn(page, account);
    await page.goto('/projects');
    await machine('realtime').is('live');
    await page.clock.fastForward('59:30');
    await machine('session').is('signedIn.expiring');
    await machine('realtime').is('live');
    await signOutElsewhere(request, account);
    await expect(page.getByText('Session Expired', { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/login');
    expect(await storedIn(page)).toEqual({ refreshToken: account.refreshToken });
  });
});

test('a wallet sign-in with a clock more than five minutes off is refused with the clock as the reason', async ({
  page,
}) => {
  await installWallet(page);
  await page.clock.install({ time: Date.now() - 6 * 60_000 });
  const login = new LoginPage(page);
  await login.goto();
  await login.connectWallet.click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await expect(page.getByRole('alert').first()).toContainText('check the clock');
  expect(await storedIn(page)).not.toHaveProperty('accessToken');
});
