import { expect } from '@playwright/test';
import { register, signIn, signOutElsewhere } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { returnWith, storedIn as stored } from '../fixtures/session';
import { unsignedToken } from '../fixtures/token';

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
    await expect(page.getByText('Failed to load the sign-in panel')).toBeVisible();
    expect(errors.join('\n')).toContain('HTTP error! Status: 503');
    await page.unroute('**/api/v1/settings/version');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  });
});

test.describe('a session', () => {
  for (const [what, token] of [
    ['expired', unsignedToken(1_000)],
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
      await returnWith(page, account);
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
});
