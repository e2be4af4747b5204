import { expect, type Page } from '@playwright/test';
import { register, signIn, signOutElsewhere, type Account } from '../fixtures/account';
import { machineOf, machineTest as test } from '../fixtures/machine';

const stored = (page: Page) => page.evaluate(() => ({ ...localStorage }) as Record<string, string>);
const callbackOf = ({ accessToken, refreshToken }: Pick<Account, 'accessToken' | 'refreshToken'>) =>
  `/auth/callback?token=${accessToken}&refreshToken=${refreshToken}`;

/** A token nobody signed, for what a browser alone decides. `exp` in seconds since the epoch. */
function unsigned(exp: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: 'nobody', exp })}.x`;
}

test.describe('a login callback', () => {
  test('is verified, stored under the three names and leads home', async ({ page, request, machine }) => {
    const account = await register(request);
    await page.goto(callbackOf(account));
    await expect(page.getByText('Authentication successful!')).toBeVisible();
    await expect(page.getByText('Redirecting you...')).toBeVisible();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('link', { name: 'Learn More' })).toBeVisible();
    const { accessToken, refreshToken, 'passport-token': persisted } = await stored(page);
    expect({ accessToken, refreshToken }).toEqual({
      accessToken: account.accessToken,
      refreshToken: account.refreshToken,
    });
    expect(JSON.parse(persisted ?? '')).toEqual({ state: { accessToken, refreshToken }, version: 0 });
    await machine('session').is('signedIn.current');
  });

  test('leaves the tokens in no address, history entry, referer or console line', async ({
    page,
    request,
  }) => {
    const account = await register(request);
    const seen: string[] = [];
    page.on('request', (sent) => {
      if (sent.isNavigationRequest()) return;
      seen.push(sent.url(), sent.headers().referer ?? '');
    });
    page.on('console', (message) => seen.push(message.text()));
    await page.goto('/faq');
    await page.goto(callbackOf(account));
    await expect(page.getByText('Authentication successful!')).toBeVisible();
    seen.push(page.url(), await page.evaluate(() => JSON.stringify(history.state) + document.referrer));
    await expect(page).toHaveURL('/');
    await page.goBack();
    await expect(page).toHaveURL('/faq');
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.filter((text) => text.includes(account.accessToken))).toEqual([]);
    expect(seen.filter((text) => text.includes(account.refreshToken))).toEqual([]);
  });

  test('leads to the wizard when a source is remembered', async ({ page, request }) => {
    const account = await register(request);
    await page.goto('/faq');
    await page.evaluate(() => localStorage.setItem('source', 'docs'));
    await page.goto(callbackOf(account));
    await expect(page).toHaveURL('/orange-id');
  });

  for (const query of ['', '?token=abc', '?refreshToken=abc', '?token=&refreshToken=abc']) {
    test(`with '${query}' says what is missing and returns to the login page`, async ({ page }) => {
      await page.goto(`/auth/callback${query}`);
      await expect(page.getByText('Authentication failed')).toBeVisible();
      await expect(page.getByText('Missing token or refreshToken in URL parameters')).toBeVisible();
      await expect(page.getByText('Redirecting back to login...')).toBeVisible();
      await expect(page).toHaveURL('/login');
    });
  }

  test('with tokens nobody issued stores nothing', async ({ page }) => {
    await page.goto(callbackOf({ accessToken: unsigned(4_000_000_000), refreshToken: 'forged' }));
    await expect(page.getByText('Login callback failed')).toBeVisible();
    expect(await stored(page)).toEqual({});
    await expect(page).toHaveURL('/login');
  });

  test('nobody here asked for leaves a signed-in session as it was', async ({ page, request, machine }) => {
    const [victim, attacker] = [await register(request), await register(request)];
    await signIn(page, victim);
    await page.goto('/');
    await machine('session').is('signedIn.current');
    const before = await stored(page);
    await page.goto(callbackOf(attacker));
    await expect(page.getByText('Authentication failed')).toBeVisible();
    await expect(page).toHaveURL('/');
    await machine('session').is('signedIn.current');
    expect(await stored(page)).toEqual(before);
  });

  test('of a sign-in begun here, while signed in, is taken', async ({ page, request, machine }) => {
    const [first, second] = [await register(request), await register(request)];
    await signIn(page, first);
    await page.goto('/login?from=profile');
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    await page.goto(callbackOf(second));
    await expect(page.getByText('Authentication successful!')).toBeVisible();
    await machine('session').is('signedIn.current');
    expect((await stored(page)).accessToken).toBe(second.accessToken);
  });
});

test.describe('the login page', () => {
  test('sends who is signed in home, or to the wizard with a source', async ({ page, request }) => {
    await signIn(page, await register(request));
    await page.goto('/login');
    await expect(page).toHaveURL('/');
    await page.evaluate(() => localStorage.setItem('source', 'docs'));
    await page.goto('/login');
    await expect(page).toHaveURL('/orange-id');
  });

  test('says which script did not load, and a retry loads it', async ({ page, machine }) => {
    await page.route('**/widget/passport.js', (route) => route.abort());
    await page.goto('/login');
    await machine('passport').is('failed');
    await expect(page.getByText(/^Failed to load script: http.*\/widget\/passport\.js$/)).toBeVisible();
    await page.unroute('**/widget/passport.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    await machine('passport').is('ready');
  });

  test('says when the identity service does not answer, and a retry asks again', async ({ page }) => {
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.route('**/api/v1/settings/version', (route) => route.fulfill({ status: 503 }));
    await page.goto('/login');
    await expect(page.getByText('The sign-in panel could not be loaded')).toBeVisible();
    expect(errors.join('\n')).toContain('HTTP error! Status: 503');
    await page.unroute('**/api/v1/settings/version');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  });
});

test.describe('a session', () => {
  for (const [what, token] of [
    ['expired', unsigned(1)],
    ['unreadable', 'not.a.token'],
  ] as const) {
    test(`whose stored token is ${what} is cleared and led to the login page`, async ({ page }) => {
      await page.goto('/faq');
      await page.evaluate((value) => {
        localStorage.setItem('accessToken', value);
        localStorage.setItem('refreshToken', 'r');
        localStorage.setItem('wagmi.store', '{}');
        localStorage.setItem('source', 'docs');
      }, token);
      await page.goto('/projects');
      await expect(page).toHaveURL('/login');
      expect(await stored(page)).toEqual({ source: 'docs' });
    });
  }

  test('whose passport-token cannot be parsed is cleared and led to the login page', async ({ page }) => {
    await page.goto('/faq');
    await page.evaluate(() => {
      localStorage.setItem('passport-token', '{');
      localStorage.setItem('refreshToken', 'r');
      localStorage.setItem('source', 'docs');
    });
    await page.goto('/projects');
    await expect(page).toHaveURL('/login');
    await expect.poll(() => stored(page)).toEqual({ source: 'docs' });
  });

  test('signed out by hand: the passport first, then exactly the listed keys, here and in the other tab', async ({
    page,
    context,
    request,
    machine,
  }) => {
    const account = await register(request);
    await signIn(page, account);
    await page.goto('/settings');
    await machine('session').is('signedIn.current');
    const other = await context.newPage();
    await other.goto('/settings');
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Settings');
    await page.evaluate(() => {
      for (const name of ['bedrock-x', 'wagmi.store', '@appkit/y', 'cbwsdk.store', 'passport-user']) {
        localStorage.setItem(name, '{}');
      }
      localStorage.setItem('source', 'docs');
      localStorage.setItem('submittedProjects', '[]');
    });

    const asked = page.waitForRequest('**/api/v1/auth/logout');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    expect((await asked).headers().authorization).toBe(`Bearer ${account.accessToken}`);
    await expect(page).toHaveURL('/login');
    expect(await stored(page)).toEqual({ source: 'docs', submittedProjects: '[]' });
    await expect(other).toHaveURL('/login');

    const dead = await request.get('/api/v1/auth/user', {
      headers: { authorization: `Bearer ${account.accessToken}` },
    });
    expect(dead.status()).toBe(401);
  });

  test('ends here even when the passport fails to', async ({ page, request }) => {
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await signIn(page, await register(request));
    await page.route('**/api/v1/auth/logout', (route) => route.abort());
    await page.goto('/');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL('/login');
    expect(await stored(page)).toEqual({});
    expect(warnings.join('\n')).toContain('Error during Bedrock Passport signOut');
  });

  test('ended on the server signs out at the user call, dropping the tokens', async ({ page, request }) => {
    const account = await register(request);
    await signOutElsewhere(request, account);
    await signIn(page, account);
    await page.goto('/projects');
    await expect(page).toHaveURL('/login');
    expect(await stored(page)).toEqual({ refreshToken: account.refreshToken });
  });

  test('survives an identity service out of reach', async ({ page, request, machine }) => {
    await signIn(page, await register(request));
    await page.route('**/api/v1/auth/user', (route) => route.abort());
    await page.goto('/settings');
    await machine('session').is('signedIn.current');
    await expect(page).toHaveURL('/settings');
  });

  test("warns a minute before its end, is renewed only by 'Stay signed in', and ends when let go", async ({
    page,
    request,
    machine,
  }) => {
    const account = await register(request);
    const refreshes: string[] = [];
    page.on('request', (sent) => sent.url().endsWith('/api/v1/auth/refresh') && refreshes.push(sent.url()));
    await page.clock.install();
    await signIn(page, account);
    await page.goto('/');
    await machine('session').is('signedIn.current');
    await page.clock.fastForward('58:50');
    await expect(page.getByText(/^Your session ends at /)).toBeHidden();
    await page.clock.fastForward('00:15');
    await expect(page.getByText(/^Your session ends at /)).toBeVisible();
    expect(refreshes).toEqual([]);

    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await expect.poll(async () => (await stored(page)).accessToken).not.toBe(account.accessToken);
    const renewed = (await stored(page)).accessToken;
    expect(refreshes).toHaveLength(1);
    const user = await request.get('/api/v1/auth/user', { headers: { authorization: `Bearer ${renewed}` } });
    expect(user.status()).toBe(200);
    expect((await machine('session').history()).map(({ to }) => to)).toContain('signedIn.extending');

    await page.clock.fastForward('05:00');
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Your session has expired. Redirecting to login...').first()).toBeVisible();
    expect(await stored(page)).toEqual({});
    expect(refreshes).toHaveLength(1);
  });

  for (const [off, minutes] of [
    ['ahead', 5],
    ['behind', -5],
  ] as const)
    test(`begun where the clock is five minutes ${off} leads nowhere twice`, async ({
      page,
      request,
      machine,
    }) => {
      const account = await register(request);
      const opened: string[] = [];
      page.on('framenavigated', (frame) => {
        if (frame === page.mainFrame()) opened.push(new URL(frame.url()).pathname);
      });
      await page.clock.install({ time: Date.now() + minutes * 60_000 });
      await page.goto(callbackOf(account));
      await machine('session').is('signedIn.current');
      await page.clock.fastForward('00:10');
      await expect(page).toHaveURL('/');
      await page.goto('/projects');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Projects');
      await page.clock.fastForward('00:10');
      await machine('session').is('signedIn.current');
      expect(opened.filter((path) => path === '/login')).toEqual([]);
      // No way back and forth: once there, it stays there.
      expect(opened.slice(opened.indexOf('/projects'))).toEqual(
        opened.filter((path) => path === '/projects'),
      );
      expect((await stored(page)).accessToken).toBe(account.accessToken);
    });

  test('shared by eight tabs is renewed for all by one, and signed out in all by one', async ({
    page,
    context,
    request,
  }) => {
    const account = await register(request);
    const refreshes: string[] = [];
    context.on(
      'request',
      (sent) => sent.url().endsWith('/api/v1/auth/refresh') && refreshes.push(sent.url()),
    );
    await context.clock.install();
    await signIn(page, account);
    await page.goto('/faq');
    const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
    const tabs = [page, ...others];
    const allAre = (state: string) => Promise.all(tabs.map((tab) => machineOf(tab)('session').is(state)));
    await Promise.all(tabs.map((tab) => tab.goto('/settings')));
    await allAre('signedIn.current');

    await context.clock.fastForward('59:05');
    await allAre('signedIn.expiring');
    await others[3]!.getByRole('button', { name: 'Stay signed in' }).click();
    await expect.poll(async () => (await stored(page)).accessToken).not.toBe(account.accessToken);
    const { accessToken } = await stored(page);
    for (const tab of tabs)
      await expect
        .poll(() => machineOf(tab)('session').context(), { message: 'every tab holds the renewed token' })
        .toMatchObject({ accessToken });
    expect(refreshes).toHaveLength(1);
    for (const tab of tabs) {
      await expect(tab).toHaveURL('/settings');
      const steps = await machineOf(tab)('session').history();
      expect(steps.filter(({ to }) => to === 'signedOut' || to.startsWith('endingSession'))).toEqual([]);
    }

    await others[6]!.getByRole('button', { name: /^Account menu/ }).click();
    await others[6]!.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of tabs) await expect(tab).toHaveURL('/login');
    expect(await stored(page)).toEqual({});
  });
});
