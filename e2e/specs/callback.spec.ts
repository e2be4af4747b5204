import { expect, type Page, type Route } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { newEmail, password, register, signIn, type Account } from '../fixtures/account';
import { startForeignSite } from '../fixtures/foreign.site';
import { machineTest as test } from '../fixtures/machine';
import { startRecordingProxy } from '../fixtures/recording.proxy';
import { callbackOf, returnWith, storedIn as stored } from '../fixtures/session';
import { unsignedToken } from '../fixtures/token';

/**
 * Holds the verification back and gives it `answer` when released, with the page's clock standing still by then, so
 * that what follows is counted to the millisecond.
 */
async function holdVerification(page: Page, answer: (route: Route) => Promise<void>) {
  await page.clock.install();
  let arrive = (_: Route) => {};
  const arrived = new Promise<Route>((resolve) => (arrive = resolve));
  await page.route('**/api/auth/bedrock', (route) => arrive(route));
  return {
    async release() {
      const route = await arrived;
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
      await answer(route);
    },
  };
}

const question = (page: Page) => page.getByRole('heading', { name: 'Is this your account?', level: 1 });

test.describe('a login callback', () => {
  test('is verified, stored under the three names and leads home', async ({ page, request, machine }) => {
    const account = await register(request);
    await returnWith(page, account);
    await expect(page.getByText('Authentication successful!')).toBeVisible();
    await expect(page.getByText('Redirecting you...')).toBeVisible();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('link', { name: 'Learn More' })).toBeVisible();
    const { accessToken, refreshToken, 'passport-token': persisted } = await stored(page);
    expect(accessToken).toBe(account.accessToken);
    // The one from the address, which a proxy may have logged, is worth nothing by now.
    expect(refreshToken).not.toBe(account.refreshToken);
    const refresh = (given?: string) =>
      request.post('/api/v1/auth/refresh', { data: { refreshToken: given } });
    expect((await refresh(account.refreshToken)).status()).toBe(401);
    expect((await refresh(refreshToken)).status()).toBe(200);
    expect(JSON.parse(persisted ?? '')).toEqual({ state: { accessToken, refreshToken }, version: 0 });
    await machine('session').is('signedIn.current');
  });

  test('leads to the wizard when a source is remembered', async ({ page, request }) => {
    const account = await register(request);
    await page.goto('/faq');
    await page.evaluate(() => localStorage.setItem('source', 'docs'));
    await returnWith(page, account);
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
    await page.goto(callbackOf({ accessToken: unsignedToken(4_000_000_000_000), refreshToken: 'forged' }));
    await expect(page.getByText('Login callback failed')).toBeVisible();
    expect(await stored(page)).toEqual({});
    await expect(page).toHaveURL('/login');
  });
});

test('a sign-in that succeeded leads on after 1 second, not before', async ({ page, request, machine }) => {
  const account = await register(request);
  const verification = await holdVerification(page, (route) => route.continue());
  await returnWith(page, account);
  await verification.release();
  await machine('callback').is('succeeded');
  await page.clock.runFor(999);
  await expect(page.getByText('Authentication successful!')).toBeVisible();
  await expect(page.getByText('Redirecting you...')).toBeVisible();
  await machine('callback').is('succeeded');
  await page.clock.runFor(1);
  await machine('callback').is('left');
  await page.clock.resume();
  await expect(page).toHaveURL('/');
});

const failures: { when: string; answer: number | 'none'; says: string | null }[] = [
  { when: 'the backend refuses', answer: 401, says: 'Login callback failed' },
  { when: 'the backend cannot verify now', answer: 503, says: 'Login callback failed' },
  { when: 'nobody answers', answer: 'none', says: null },
];
for (const { when, answer, says } of failures)
  test(`a sign-in that ${when} says so for 3 seconds and stores nothing`, async ({
    page,
    request,
    machine,
  }) => {
    const account = await register(request);
    const verification = await holdVerification(page, (route) =>
      answer === 'none' ? route.abort() : route.fulfill({ status: answer, body: '{}' }),
    );
    await returnWith(page, account);
    await verification.release();
    await machine('callback').is('failed');
    await page.clock.runFor(2_999);
    await machine('callback').is('failed');
    await expect(page.locator('[data-machine="callback"]')).toHaveText(
      `Authentication failed${says ?? ''}Redirecting back to login...Sign in again`,
    );
    await page.clock.runFor(1);
    await machine('callback').is('left');
    await page.clock.resume();
    await expect(page).toHaveURL('/login');
    expect(await stored(page)).toEqual({});
  });

test('a sign-in on a device whose clock is hours ahead says so, stores nothing and leads nowhere twice', async ({
  page,
  request,
  machine,
}) => {
  const account = await register(request);
  const opened: string[] = [];
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) opened.push(new URL(frame.url()).pathname);
  });
  await page.clock.install({ time: Date.now() + 2 * 3_600_000 });
  await returnWith(page, account);
  await expect(page.getByText('Authentication failed')).toBeVisible();
  await expect(
    page.getByText(
      'This device’s clock says the sign-in has already expired. Check the date and time, then sign in again.',
    ),
  ).toBeVisible();
  await page.clock.fastForward(3_000);
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  await page.clock.fastForward(30_000);
  await machine('session').is('signedOut');
  expect(await stored(page)).toEqual({});
  expect(opened.filter((path) => path === '/login')).toHaveLength(1);
});

test.describe('a callback while somebody is signed in', () => {
  test('as the same person, of a linking begun here, is taken', async ({ page, request, machine }) => {
    const email = newEmail();
    const account = await register(request, email);
    const again = await request.post('/api/v1/auth/email/login', { data: { email, password } });
    const { token } = (await again.json()) as { token: Account };
    await signIn(page, account);
    await page.goto('/login?from=profile');
    await machine('passport').is('ready');
    await returnWith(page, token);
    await expect(page.getByText('Authentication successful!')).toBeVisible();
    await machine('session').is('signedIn.current');
    expect((await stored(page)).accessToken).toBe(token.accessToken);
  });

  test("with a stranger's tokens changes nothing, even when the page to link a method was opened here", async ({
    page,
    request,
    machine,
  }) => {
    const victim = await register(request);
    let attacker = await register(request);
    await signIn(page, victim);
    // A foreign page can open /login?from=profile in this tab and the callback after it.
    for (const before of ['/', '/login?from=profile']) {
      await page.goto(before);
      await machine('session').is('signedIn.current');
      if (before !== '/') await machine('passport').is('ready');
      const kept = await stored(page);
      const asked: string[] = [];
      // The page to link a method binds the browser to who is signed in.
      page.on('request', (sent) => void asked.push(`${sent.method()} ${sent.url()}`));
      await page.goto(callbackOf(attacker));
      await expect(question(page)).toBeVisible();
      await expect(
        page.getByText('You’ll be signed out of your current account.', { exact: true }),
      ).toBeVisible();
      const { accessToken, refreshToken, 'passport-token': persisted } = kept;
      const tokens = { accessToken, refreshToken, 'passport-token': persisted };
      expect(await stored(page)).toMatchObject(tokens);
      await page.getByRole('button', { name: 'Not me' }).click();
      await expect(page).toHaveURL('/');
      await machine('session').is('signedIn.current');
      expect(await stored(page)).toMatchObject(tokens);
      expect(asked.filter((sent) => /^(POST|PUT) .*\/api\/auth\/bedrock$/.test(sent))).toEqual([]);
      attacker = await register(request);
    }
  });

  test("with a stranger's tokens changes nothing, though the sign-in page was opened here before anybody signed in", async ({
    page,
    context,
    request,
    machine,
  }) => {
    const [victim, attacker] = [await register(request), await register(request)];
    const site = await startForeignSite();
    await page.goto('/login');
    await machine('passport').is('ready');
    // The tab waits on another site until somebody has signed in in a second one.
    await page.goto(site.at('localhost'));
    const second = await context.newPage();
    await returnWith(second, victim);
    await expect(second).toHaveURL('/');
    const kept = await stored(second);
    expect(kept.accessToken).toBe(victim.accessToken);

    await page.goto(callbackOf(attacker));
    await expect(question(page)).toBeVisible();
    await page.getByRole('button', { name: 'Not me' }).click();
    await expect(page).toHaveURL('/');
    await machine('session').is('signedIn.current');
    expect(await stored(page)).toMatchObject(kept);
    await site.close();
  });

  test('as the same person, who signed in elsewhere meanwhile, is taken', async ({
    page,
    context,
    request,
    machine,
  }) => {
    const email = newEmail();
    const account = await register(request, email);
    const again = await request.post('/api/v1/auth/email/login', { data: { email, password } });
    const { token } = (await again.json()) as { token: Account };
    await page.goto('/login');
    await machine('passport').is('ready');
    const site = await startForeignSite();
    await page.goto(site.at('localhost'));
    const second = await context.newPage();
    await returnWith(second, account);
    await expect(second).toHaveURL('/');
    await returnWith(page, token);
    await expect(page.getByText('Authentication successful!')).toBeVisible();
    expect((await stored(page)).accessToken).toBe(token.accessToken);
    await site.close();
  });

  test('is asked about also where only passport-token holds the session, and replaces one that has expired', async ({
    page,
    request,
    machine,
  }) => {
    const [victim, other] = [await register(request), await register(request)];
    const persist = (accessToken: string) =>
      page.evaluate(
        (token) =>
          localStorage.setItem(
            'passport-token',
            JSON.stringify({ state: { accessToken: token, refreshToken: 'r' }, version: 0 }),
          ),
        accessToken,
      );
    await page.goto('/faq');
    await persist(victim.accessToken);
    await returnWith(page, other);
    await expect(question(page)).toBeVisible();
    await page.getByRole('button', { name: 'Not me' }).click();
    await expect(page).toHaveURL('/');
    await machine('session').is('signedIn.current');

    await page.goto('/faq');
    await persist(unsignedToken(Date.now() - 1_000));
    const third = await register(request);
    await returnWith(page, third);
    await expect(page.getByText('Authentication successful!')).toBeVisible();
    await machine('session').is('signedIn.current');
    expect((await stored(page)).accessToken).toBe(third.accessToken);
  });
});

test('the tokens of a callback are on no wire but the one to the backend, and in no history, console, page or log', async ({
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
  const callback = page.locator('[data-machine="callback"]');
  for (const text of ['Authentication successful!', 'Redirecting you...']) {
    await expect(callback.getByText(text)).toBeVisible();
  }
  const pages = [await page.content()];
  await expect(page).toHaveURL(`${baseURL}/`);
  await expect(page.getByRole('heading', { name: 'Welcome to Orange ID' })).toBeVisible();
  pages.push(await page.content());
  const { entries } = await history.send('Page.getNavigationHistory');
  const places = entries.map(({ url }) => url).filter((url) => url !== 'about:blank');
  const kept = await page.evaluate(
    () => JSON.stringify(window.history.state) + document.referrer + location.href,
  );

  // Straight to another site, from the very page that was given the tokens.
  await page.evaluate(() => localStorage.clear());
  const again = await register(request);
  secrets.push(again.accessToken, again.refreshToken);
  await page.goto(baseURL + callbackOf(again));
  await expect(question(page)).toBeVisible();
  await page.evaluate((url) => location.assign(url), site.at('elsewhere.example.com'));
  await expect(page.getByText('A site', { exact: true }).last()).toBeVisible();
  const told = await page.evaluate(() => document.referrer);

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
  expect(told).toBe('');

  expect(places).toEqual([`${baseURL}/faq`, `${baseURL}/`]);
  expect(holding([kept])).toEqual([]);
  expect(holding(pages)).toEqual([]);
  expect(holding(printed)).toEqual([]);

  const log = readFileSync(process.env['PORTAL_E2E_LOG'] as string, 'utf8');
  expect(log).toContain('http://localhost:');
  expect(holding([log])).toEqual([]);
});
