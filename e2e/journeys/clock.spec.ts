import { expect } from '@playwright/test';
import { register, signIn, signOutElsewhere, type Account } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { returnWith, storedIn } from '../fixtures/session';
import { installWallet } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';

const minute = 60_000;

test('a computer whose clock is minutes off can sign in, stay signed in and sign out without a redirect loop', async ({
  page,
  request,
  machine,
}) => {
  let opened: string[] = [];
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) opened.push(new URL(frame.url()).pathname);
  });
  const distinct = () => opened.filter((path, index) => path !== opened[index - 1]);
  await installWallet(page);
  await page.clock.install();
  let account: Account;

  /** Signs in with the clock off by this many minutes, and opens another page. */
  const signInOff = async (minutes: number) => {
    account = await register(request);
    opened = [];
    await page.clock.setSystemTime(Date.now() + minutes * minute);
    await returnWith(page, account);
    await machine('session').is('signedIn.current');
    await page.clock.fastForward('00:10');
    await expect(page).toHaveURL('/');
    await page.goto('/projects');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Projects');
    await page.clock.fastForward('00:10');
    await machine('session').is('signedIn.current');
    expect(distinct()).toEqual(['/auth/callback', '/', '/projects']);
    expect((await storedIn(page)).accessToken).toBe(account.accessToken);
  };

  await test.step('five minutes ahead: the user is signed in, also on the next page', async () => {
    await signInOff(5);
    await page.evaluate(() => localStorage.clear());
  });
  await test.step('five minutes behind: the user is signed in, also on the next page', () => signInOff(-5));
  await test.step('five minutes behind: a session ended by the service redirects to sign-in once', async () => {
    opened = [];
    await machine('realtime').is('live');
    const { refreshToken } = await storedIn(page);
    await signOutElsewhere(request, account);
    await expect(page.getByText('Signed Out', { exact: true })).toBeVisible();
    await expect(
      page.getByText('Your session was ended from another device, or it expired.', { exact: false }).first(),
    ).toBeVisible();
    await expect(page).toHaveURL('/login');
    await page.clock.fastForward(30_000);
    await machine('session').is('signedOut');
    expect(distinct()).toEqual(['/login']);
    expect(await storedIn(page)).toEqual({ refreshToken });
  });
  await test.step('a token revoked before the page opened redirects to sign-in, too', async () => {
    await signIn(page, account);
    opened = [];
    await page.goto('/projects');
    await expect(page).toHaveURL('/login');
    expect(distinct()).toEqual(['/projects', '/login']);
    expect(await storedIn(page)).toEqual({ refreshToken: account.refreshToken });
  });
  await test.step('six minutes behind: a wallet signs in all the same, with the server’s time', async () => {
    await page.clock.setSystemTime(Date.now() - 6 * minute);
    const login = new LoginPage(page);
    await login.connectWallet.click();
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await expect.poll(() => storedIn(page)).toHaveProperty('accessToken');
  });
});
