import { expect, type APIRequestContext, type APIResponse, type Page } from '@playwright/test';
import { newEmail, password, registerWithProfile, signIn, type Account } from '../fixtures/account';
import { hiddenTexts, hostileTexts, watch } from '../fixtures/hostile.text';
import { machineTest as test } from '../fixtures/machine';
import { LoginPage } from '../pages/login.page';
import { MailboxPage } from '../pages/mailbox.page';
import { ProfilePage } from '../pages/profile.page';
import { ProviderPage } from '../pages/provider.page';

const whitelistURL = ['https://app.example.org'];
const image = '<img src=x onerror=__ran()>';
/** Two in one, as long as a display name may be. */
const together = `${image}"><b class=injected onclick=__ran()>`;

const callsOf = (request: APIRequestContext, { accessToken }: Account) => {
  const headers = { authorization: `Bearer ${accessToken}` };
  return { post: (path: string, data: object) => request.post(path, { data, headers }) };
};

async function taken(answer: Promise<APIResponse>): Promise<APIResponse> {
  const got = await answer;
  expect(got.ok(), await got.text()).toBe(true);
  return got;
}

const refused = async (answer: Promise<APIResponse>) => expect((await answer).status()).toBe(400);

/** Opens a page and waits until each of the texts stands there as it was written. */
async function open(page: Page, path: string, texts: readonly string[] = []): Promise<void> {
  await page.goto(path);
  for (const text of texts) await expect(page.locator('body')).toContainText(text);
}

test('the watch of these tests sees a script that runs, a dialog, and a script that the policy stops', async ({
  page,
}) => {
  const { seen, expectClean } = await watch(page);
  await page.goto('/faq');
  await expectClean();
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), image);
  await expect.poll(() => seen).toContain('/faq: the policy stopped inline by script-src-attr');
  await expect(expectClean()).rejects.toThrow('onerror');
  const body = `<title>x</title>${image}<script>alert(1)</script>`;
  await page.route('**/unguarded', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/unguarded');
  await expect.poll(() => seen).toContain('/unguarded: a script ran');
  expect(seen).toContain('/unguarded: the dialog "1"');
});

test('hostile names of projects, keys, programs and origins are shown as text on every page', async ({
  page,
  request,
}) => {
  const { expectClean } = await watch(page);
  const account = await registerWithProfile(request, together);
  const { post } = callsOf(request, account);
  for (const text of hostileTexts) {
    const project = { projectName: text, whitelistURL, source: text };
    const made = await taken(post('/devportal/v1/project', project));
    const { projectId, apiKey } = (await made.json()) as { projectId: string; apiKey: string };
    await taken(post('/api/keys', { name: text }));
    // The path is dropped, and no host has such a name.
    const urls = { code: projectId, projectName: text };
    const path = '/devportal/v1/project/whitelist-urls';
    const added = await taken(
      post(path, { ...urls, urls: [`https://a.example.org/${encodeURIComponent(text)}`] }),
    );
    expect(await added.json()).toMatchObject({ urls: [...whitelistURL, 'https://a.example.org'] });
    await refused(post(path, { ...urls, urls: [`https://${text}.example.org`] }));
    await request.get('/api/v1/key', { headers: { 'X-API-Key': apiKey, Origin: text, Referer: text } });
    const data = { email: account.email, password };
    const headers = { 'user-agent': text };
    await taken(request.post('/api/v1/auth/email/login', { data, headers }));
    await refused(post('/api/v1/user/profile', { email: `${text}@example.com` }));
    await refused(post('/api/v1/user/profile', { country: text }));
  }
  for (const text of hiddenTexts) {
    await refused(post('/devportal/v1/project', { projectName: text, whitelistURL }));
    await refused(post('/api/keys', { name: text }));
    for (const field of ['displayName', 'userName', 'displayDesc']) {
      await refused(post('/api/v1/user/profile', { [field]: text }));
    }
  }

  await signIn(page, account);
  const pages: [path: string, texts: readonly string[]][] = [
    ['/projects', hostileTexts],
    ['/keys', hostileTexts],
    ['/usage', [hostileTexts[0]]],
    ['/usage?call=1', [hostileTexts[0]]],
    ['/profile', [together]],
    ['/settings', [together]],
    ['/dashboard', [together]],
    ['/login?from=profile', [account.email]],
    ['/orange-id', []],
    ['/api', []],
  ];
  for (const [path, texts] of pages) {
    await open(page, path, texts);
    await expectClean();
  }
});

test('each hostile text in each field of a profile is shown as text', async ({ page, request }) => {
  const { expectClean } = await watch(page);
  const account = await registerWithProfile(request);
  const { post } = callsOf(request, account);
  await signIn(page, account);
  const profile = new ProfilePage(page);
  for (const text of hostileTexts) {
    const displayDesc = `${text}\n${text}`.repeat(3);
    await taken(post('/api/v1/user/profile', { displayName: text, displayDesc }));
    await refused(post('/api/v1/user/profile', { userName: text }));
    await profile.goto();
    await expect(profile.banner.getByRole('heading', { level: 2 })).toHaveText(text);
    await expectClean();
  }
});

test('hostile answers of outside services are shown as text', async ({ page, request }) => {
  const { expectClean } = await watch(page);
  const account = await registerWithProfile(request);
  await signIn(page, account);
  const at = '2026-01-01T00:00:00.000Z';
  const project = { projectName: together, apiKey: together, urls: hostileTexts, createdAt: at };
  const answers: Record<string, (given: object) => unknown> = {
    '/api/v1/auth/user': (given) => ({
      ...given,
      ...{ email: `${image}@example.com`, displayName: together, name: together, firstName: together },
      ...{ userName: together, bio: hostileTexts.join('\n'), country: together, provider: together },
      ...{ ethAddress: together, waxAddress: together, createdAt: together, picture: 'javascript:__ran()' },
    }),
    '/api/v1/auth/identifiers': () =>
      hostileTexts.flatMap((label, place) =>
        (['email', 'wallet', 'google', 'apple'] as const).map((provider) => ({
          ...{ id: `${provider}-${place}`, provider, label, isVerified: place % 2 === 0, linkedAt: at },
        })),
      ),
    '/api/v1/auth/sessions': () =>
      hostileTexts.map((device, place) => ({
        ...{ id: device, provider: device, device, signedInAt: at, lastUsedAt: at, isCurrent: place === 0 },
      })),
    '/devportal/v1/user/projects': () =>
      hostileTexts.map((text) => ({ ...project, id: text, code: text, lastUpdatedAt: at })),
  };
  for (const [path, change] of Object.entries(answers)) {
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as object) });
    });
  }
  const pages: [path: string, texts: readonly string[]][] = [
    ['/profile', [together, hostileTexts[0]]],
    ['/settings', [together, ...hostileTexts]],
    ['/dashboard', [together]],
    ['/projects', [together]],
    ['/usage', []],
    ['/login?from=profile', hostileTexts],
  ];
  for (const [path, texts] of pages) {
    await open(page, path, texts);
    await expectClean();
  }
  // Answers that are still being changed would fail when the test's context closes.
  await page.unrouteAll({ behavior: 'wait' });
});

test('hostile names at a provider are shown as text by its page, by the portal and by its mails', async ({
  page,
}) => {
  const { expectClean } = await watch(page);
  const email = newEmail();
  const login = new LoginPage(page);
  await login.goto();
  await login.leaveFor('Google');
  await expectClean();
  await new ProviderPage(page, 'Google').signIn(email, together);
  await login.expectSuccess();
  for (const path of ['/profile', '/settings', '/dashboard']) {
    await open(page, path, [together]);
    await expectClean();
  }
  // The account page of the provider lists whom it knows.
  await open(page, '/api/login?provider=google', [`${together}, ${email}`]);
  await expectClean();
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const state = encodeURIComponent(new URL('/auth/callback', page.url()).href);
  await open(page, `/api/v1/auth/identifier/APPLE?state=${state}&token=${token}`, [email]);
  await expectClean();
});

test('an e-mail address with marks is text in mails and on the pages that their links open', async ({
  page,
  request,
}) => {
  const { expectClean } = await watch(page);
  const email = `o'hara'+${newEmail()}`;
  const data = { email, password, passwordConfirm: password };
  await taken(request.post('/api/v1/auth/email/register', { data }));
  const mailbox = new MailboxPage(page);
  await mailbox.openLink(email, 'Confirm your email address');
  await expect(page.locator('body')).toContainText(email);
  await expectClean();
  await open(page, '/dev/mailbox', [`To ${email},`]);
  await expectClean();
});

test('hostile text in an address is shown as text, by the application and by the pages of the server', async ({
  page,
  request,
}) => {
  const { expectClean } = await watch(page);
  await signIn(page, await registerWithProfile(request));
  for (const text of [together, '</script><script>__ran()</script>', 'javascript:__ran()', "'-__ran()-'"]) {
    const hostile = encodeURIComponent(text);
    for (const path of [
      `/usage?status=${hostile}&origin=${hostile}&projectId=${hostile}&keyId=${hostile}&call=${hostile}&from=${hostile}`,
      `/login?from=${hostile}`,
      `/auth/callback?token=${hostile}&refreshToken=${hostile}&error=${hostile}`,
      `/nowhere/${hostile}?${hostile}#${hostile}`,
      `/api/login?provider=${hostile}&state=${hostile}`,
      `/api/v1/auth/identifier/GOOGLE?state=${hostile}&token=${hostile}&flow=${hostile}`,
      `/api/v1/auth/GOOGLE/callback?state=${hostile}&error=${hostile}&error_description=${hostile}`,
      `/api/v1/auth/email/confirm?token=${hostile}`,
      `/api/v1/auth/email/password?token=${hostile}`,
      `/dev/openid/auth?client_id=${hostile}&redirect_uri=${hostile}&response_type=${hostile}`,
      `/dev/openid/account/${hostile}`,
      `/api/docs/?url=${hostile}&configUrl=${hostile}`,
    ]) {
      await page.goto(path);
      await expectClean();
    }
  }
});
