import { expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { newEmail, register, signIn, userCall, userIdOf } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { startForeignSite } from '../fixtures/foreign.site';
import { machineTest as test } from '../fixtures/machine';
import { startRecordingProxy } from '../fixtures/recording.proxy';
import { callbackOf, returnWith, storedIn } from '../fixtures/session';
import { signInByKey } from '../fixtures/wallet';
import { isTooWide } from '../fixtures/width';
import { LoginPage } from '../pages/login.page';
import { ProviderPage } from '../pages/provider.page';

const question = (page: Page) => page.getByRole('heading', { name: 'Is this your account?', level: 1 });
const cookieOf = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name === 'portal_session');

test('the tokens of a sign-in are stored, the refresh token is replaced, and they are sent only to the backend and appear in no history, console, page or log', async ({
  browser,
  request,
  baseURL,
}) => {
  const account = await register(request);
  const secrets = [
    account.accessToken,
    account.accessToken.split('.')[2] as string,
    account.refreshToken,
    encodeURIComponent(account.refreshToken),
  ];
  const holding = (texts: (string | undefined)[]) =>
    texts.filter((text) => text !== undefined && secrets.some((secret) => text.includes(secret)));
  const proxy = await startRecordingProxy();
  const site = await startForeignSite();
  const context = await browser.newContext({ proxy: { server: proxy.address } });
  const page = await context.newPage();
  const printed: string[] = [];
  page.on('console', (message) => printed.push(message.text()));
  const history = await context.newCDPSession(page);

  await page.goto(`${baseURL}/faq`);
  const answer = await returnWith(page, account, baseURL);
  expect(answer?.headers()).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  await page.getByText('Authentication successful!').waitFor();
  const pages = [await page.content()];
  await expect(page).toHaveURL(`${baseURL}/`);
  await expect(page.getByRole('heading', { name: 'Welcome to Orange ID' })).toBeVisible();
  pages.push(await page.content());
  const { entries } = await history.send('Page.getNavigationHistory');
  const places = entries.map(({ url }) => url).filter((url) => url !== 'about:blank');
  const kept = await page.evaluate(
    () => JSON.stringify(window.history.state) + document.referrer + location.href,
  );

  const { accessToken, refreshToken, 'passport-token': persisted } = await storedIn(page);
  expect(accessToken).toBe(account.accessToken);
  // The refresh token from the URL, which a proxy may have logged, is invalid by now.
  expect(refreshToken).not.toBe(account.refreshToken);
  const refresh = (given?: string) => request.post('/api/v1/auth/refresh', { data: { refreshToken: given } });
  expect((await refresh(account.refreshToken)).status()).toBe(401);
  expect((await refresh(refreshToken)).status()).toBe(200);
  expect(JSON.parse(persisted ?? '')).toEqual({ state: { accessToken, refreshToken }, version: 0 });

  // Navigates straight to another site, from the page that received the tokens.
  await page.evaluate(() => localStorage.clear());
  const again = await register(request);
  secrets.push(again.accessToken, again.refreshToken);
  await page.goto(baseURL + callbackOf(again));
  await expect(question(page)).toBeVisible();
  await page.evaluate((url) => location.assign(url), site.at('elsewhere.example.com'));
  await expect(page.getByText('A site', { exact: true }).last()).toBeVisible();
  const referrer = await page.evaluate(() => document.referrer);

  const seen = [...proxy.seen];
  await context.close();
  await proxy.close();
  await site.close();

  const callbacks = seen.filter(({ url }) => url.includes('/auth/callback?'));
  expect(callbacks.map(({ method }) => method)).toEqual(['GET', 'GET']);
  const others = seen.filter((sent) => !callbacks.includes(sent));
  expect(others.some(({ url }) => url.endsWith('/api/auth/bedrock'))).toBe(true);
  expect(others.some(({ url }) => url.includes('elsewhere.example.com'))).toBe(true);
  expect(holding(others.map(({ url }) => url))).toEqual([]);
  expect(seen.filter(({ headers }) => headers.referer?.startsWith(baseURL as string))).toEqual([]);
  expect(holding(seen.map(({ headers }) => headers.referer))).toEqual([]);
  const toOthers = others.filter(({ url }) => !url.startsWith(baseURL as string));
  expect(holding(toOthers.map(({ headers }) => JSON.stringify(headers)))).toEqual([]);
  expect(referrer).toBe('');

  expect(places).toEqual([`${baseURL}/faq`, `${baseURL}/`]);
  expect(holding([kept])).toEqual([]);
  expect(holding(pages)).toEqual([]);
  expect(holding(printed)).toEqual([]);

  const log = readFileSync(process.env['PORTAL_E2E_LOG'] as string, 'utf8');
  expect(log).toContain('http://localhost:');
  expect(holding([log])).toEqual([]);
});

test("an attacker's callback URL neither signs in a signed-out browser nor links the victim's Google account to the attacker's", async ({
  page,
  request,
  baseURL,
  machine,
}) => {
  const victim = newEmail();
  // The attacker signs in with a wallet, and enters the victim's email and name in the profile.
  const attacker = await signInByKey(request, baseURL ?? '');
  const typed = await request.post('/api/v1/user/profile', {
    data: { email: victim, displayName: 'The Victim' },
    headers: { authorization: `Bearer ${attacker.accessToken}` },
  });
  expect(typed.ok(), await typed.text()).toBe(true);

  await test.step('the question shows only verified data of the account, and nothing is stored', async () => {
    await page.goto(callbackOf(attacker));
    await machine('callback').is('asking');
    await expect(question(page)).toBeVisible();
    await expect(page.getByText(attacker.wallet, { exact: true })).toBeVisible();
    await expect(page.getByText(victim)).toHaveCount(0);
    await expect(page.getByText('The Victim')).toHaveCount(0);
    expect(await storedIn(page)).toEqual({});
    expect(await cookieOf(page)).toEqual([]);
  });
  await test.step('the page that links Google links nothing with the attacker’s token', async () => {
    const { origin } = new URL(page.url());
    const linking = `${origin}/api/v1/auth/identifier/GOOGLE?state=${origin}/auth/callback&token=${attacker.accessToken}&tenantId=orange-0000000000`;
    await page.goto(linking);
    await expect(page.getByRole('heading', { name: 'Nothing was connected' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
  });
  await test.step('a URL that starts a sign-in with Google needs confirmation, and opens the victim’s own account', async () => {
    await page.goto('/api/login?provider=google');
    await new ProviderPage(page, 'Google').signIn(victim);
    await expect(question(page)).toBeVisible();
    await expect(page.getByText(victim)).toBeVisible();
    expect(await storedIn(page)).toEqual({});
    await page.getByRole('button', { name: 'Continue' }).click();
    await new LoginPage(page).expectSuccess();
    await expect(page).toHaveURL('/');
    expect(await userIdOf(page)).not.toBe(attacker.id);
  });
});

test('a callback planted while this tab waits for its own sign-in needs confirmation, and ‘Not me’ by keyboard rejects it', async ({
  page,
  request,
  machine,
}) => {
  const attacker = await register(request);
  const login = new LoginPage(page);
  const google = new ProviderPage(page, 'Google');

  await test.step('a callback planted while this tab waits for its own sign-in asks the question', async () => {
    await login.goto();
    await login.leaveFor('Google');
    await expect(google.heading).toBeVisible();
    for (const tab of ['', `&tab=${'A'.repeat(22)}`]) {
      await page.goto(callbackOf(attacker) + tab);
      await expect(question(page)).toBeVisible();
      expect(await storedIn(page)).toEqual({});
    }
  });
  await test.step('‘Not me’ has the focus, and ends the planted session', async () => {
    const ended = page.waitForResponse('**/api/v1/auth/logout');
    await expect(page.getByRole('button', { name: 'Not me' })).toBeFocused();
    await page.keyboard.press('Enter');
    await machine('callback').is('left');
    await expect(page).toHaveURL('/login');
    expect((await ended).status()).toBe(204);
    expect(await storedIn(page)).toEqual({});
    const answer = await userCall(request, attacker.accessToken);
    expect(answer.status()).toBe(401);
    await page.goBack();
    await expect(question(page)).toHaveCount(0);
  });
});

test("a stranger's tokens change nothing for a signed-in user until ‘Continue’, by keyboard, replaces the named account", async ({
  page,
  request,
  baseURL,
  machine,
}) => {
  const victim = await signInByKey(request, baseURL ?? '');
  await signIn(page, { ...(await register(request)), ...victim });

  // A foreign page can open /login?from=profile in this tab, and then the callback.
  await test.step('the tokens need confirmation even if the page for linking was opened here', async () => {
    await page.goto('/login?from=profile');
    await machine('session').is('signedIn.current');
    await machine('passport').is('ready');
    await machine('browserBinding').is('bound');
    const { accessToken, refreshToken, 'passport-token': persisted } = await storedIn(page);
    const tokens = { accessToken, refreshToken, 'passport-token': persisted };
    const asked: string[] = [];
    page.on('request', (sent) => void asked.push(`${sent.method()} ${sent.url()}`));
    await page.goto(callbackOf(await register(request)));
    await expect(question(page)).toBeVisible();
    await expect(page.getByText('You’ll be signed out of the account for')).toBeVisible();
    await expect(page.getByText(victim.wallet, { exact: true })).toBeVisible();
    expect(await storedIn(page)).toMatchObject(tokens);
    await page.getByRole('button', { name: 'Not me' }).click();
    await expect(page).toHaveURL('/');
    await machine('session').is('signedIn.current');
    expect(await storedIn(page)).toMatchObject(tokens);
    expect(asked.filter((sent) => /^(POST|PUT) .*\/api\/auth\/bedrock$/.test(sent))).toEqual([]);
  });
  const next = await signInByKey(request, baseURL ?? '');
  await test.step('the question fits 320 px, passes axe in dark mode, and is answered by ‘Continue’', async () => {
    await page.goto(callbackOf(next));
    await expect(page.getByText(next.wallet, { exact: true })).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(await axeFindings(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused();
    await page.keyboard.press('Enter');
    await new LoginPage(page).expectSuccess();
    await expect(page).toHaveURL('/');
    expect((await storedIn(page))['accessToken']).toBe(next.accessToken);
  });
  await test.step('the tokens from the URL are invalid after the confirmation', async () => {
    await page.goto(callbackOf(next));
    await expect(page.getByText('You’re already signed in to this account.')).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Login callback failed')).toBeVisible();
  });
});
