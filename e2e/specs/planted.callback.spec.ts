import AxeBuilder from '@axe-core/playwright';
import { expect, type Browser, type Page } from '@playwright/test';
import { newEmail, register, signIn, userIdOf, type Account } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { callbackOf, storedIn } from '../fixtures/session';
import { installWallet } from '../fixtures/wallet';
import { isTooWide } from '../fixtures/width';
import { LoginPage } from '../pages/login.page';
import { ProviderPage } from '../pages/provider.page';

type Tokens = Pick<Account, 'accessToken' | 'refreshToken'>;

/** Somebody who signs in with a wallet and types the victim's e-mail and name into the profile. */
async function makeAttacker(
  browser: Browser,
  email: string,
): Promise<Tokens & { wallet: string; id: string }> {
  const context = await browser.newContext();
  const login = new LoginPage(await context.newPage());
  const { address } = await installWallet(login.page);
  await login.goto();
  await login.useWallet('Test Wallet');
  await expect(login.page).toHaveURL('/');
  const { accessToken = '', refreshToken = '' } = await storedIn(login.page);
  const typed = await login.page.request.post('/api/v1/user/profile', {
    data: { email, displayName: 'The Victim' },
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(typed.ok(), await typed.text()).toBe(true);
  const id = await userIdOf(login.page);
  await context.close();
  return { accessToken, refreshToken, wallet: address, id };
}

const question = (page: Page) => page.getByRole('heading', { name: 'Is this your account?', level: 1 });
const cookieOf = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name === 'portal_session');

test("a planted callback signs a signed-out browser in to nothing, and the victim's Google account is not joined to the attacker's", async ({
  page,
  browser,
  machine,
}) => {
  const victim = newEmail();
  const attacker = await makeAttacker(browser, victim);

  await page.goto(callbackOf(attacker));
  await machine('callback').is('asking');
  await expect(question(page)).toBeVisible();
  await expect(page.getByText(attacker.wallet, { exact: true })).toBeVisible();
  await expect(page.getByText(victim)).toHaveCount(0);
  await expect(page.getByText('The Victim')).toHaveCount(0);
  expect(await storedIn(page)).toEqual({});
  expect(await cookieOf(page)).toEqual([]);

  // Straight on to the page that links Google, with the attacker's token.
  const { origin } = new URL(page.url());
  const linking = `${origin}/api/v1/auth/identifier/GOOGLE?state=${origin}/auth/callback&token=${attacker.accessToken}&tenantId=orange-0000000000`;
  await page.goto(linking);
  await expect(page.getByRole('heading', { name: 'Nothing was linked' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);

  const login = new LoginPage(page);
  await login.goto();
  await login.leaveFor('Google');
  await new ProviderPage(page, 'Google').signIn(victim);
  await login.expectSuccess();
  await expect(page).toHaveURL('/');
  expect(await userIdOf(page)).not.toBe(attacker.id);
});

test('a callback planted while this tab waits for a sign-in of its own is asked about', async ({
  page,
  request,
}) => {
  const attacker = await register(request);
  const login = new LoginPage(page);
  await login.goto();
  await login.leaveFor('Google');
  await expect(new ProviderPage(page, 'Google').heading).toBeVisible();
  for (const tab of ['', `&tab=${'A'.repeat(22)}`]) {
    await page.goto(callbackOf(attacker) + tab);
    await expect(question(page)).toBeVisible();
    expect(await storedIn(page)).toEqual({});
  }
});

test('an address that begins a sign-in with Google by itself is asked about when it comes back', async ({
  page,
}) => {
  const email = newEmail();
  await page.goto('/api/login?provider=google');
  await new ProviderPage(page, 'Google').signIn(email);
  await expect(question(page)).toBeVisible();
  expect(await storedIn(page)).toEqual({});
  await page.getByRole('button', { name: 'Continue' }).click();
  await new LoginPage(page).expectSuccess();
});

test("'Not me' has the focus, ends the sign-in that was planted and leads to the login page", async ({
  page,
  request,
  machine,
}) => {
  const attacker = await register(request);
  const ended = page.waitForResponse('**/api/v1/auth/logout');
  await page.goto(callbackOf(attacker));
  await expect(question(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Not me' })).toBeFocused();
  await page.keyboard.press('Enter');
  await machine('callback').is('left');
  await expect(page).toHaveURL('/login');
  expect((await ended).status()).toBe(204);
  expect(await storedIn(page)).toEqual({});
  expect(await cookieOf(page)).toEqual([]);
  const answer = await request.get('/api/v1/auth/user', {
    headers: { authorization: `Bearer ${attacker.accessToken}` },
  });
  expect(answer.status()).toBe(401);
  await page.goBack();
  await expect(question(page)).toHaveCount(0);
});

test("'Continue', by keyboard, signs in, and replaces the account that was named as the one signed in here", async ({
  page,
  browser,
  request,
  machine,
}) => {
  const [before, next] = [await makeAttacker(browser, newEmail()), await register(request)];
  await signIn(page, { ...next, ...before });
  await page.goto('/faq');
  await machine('session').is('signedIn.current');
  await page.goto(callbackOf(next));
  await expect(page.getByText('You’ll be signed out of the account for')).toBeVisible();
  await expect(page.getByText(before.wallet, { exact: true })).toBeVisible();
  await expect(page.getByText(next.email)).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused();
  await page.keyboard.press('Enter');
  await new LoginPage(page).expectSuccess();
  await expect(page).toHaveURL('/');
  expect((await storedIn(page))['accessToken']).toBe(next.accessToken);
  // What came in the address is void once it has been confirmed.
  await page.goto(callbackOf(next));
  await expect(page.getByText('You’re already signed in to this account.')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Login callback failed')).toBeVisible();
});

test('the question is whole at every width, light and dark, and axe finds nothing in it', async ({
  page,
  browser,
  request,
}, testInfo) => {
  const before = await makeAttacker(browser, newEmail());
  const given = await makeAttacker(browser, newEmail());
  await signIn(page, { ...(await register(request)), ...before });
  await page.goto(callbackOf(given));
  await expect(question(page)).toBeVisible();
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await isTooWide(page), `${width} px`).toBe(false);
      await page.screenshot({ path: testInfo.outputPath(`question-${width}-${colorScheme}.png`) });
    }
  }
});
