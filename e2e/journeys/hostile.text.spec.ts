import { hostileTexts } from '@orange-id/contract/hostile.text.fixture';
import { expect, type APIResponse, type Page } from '@playwright/test';
import {
  newEmail,
  password,
  registerWithProfile,
  signIn,
  signInInstead,
  type Tokens,
} from '../fixtures/account';
import { administrator } from '../fixtures/administrator';
import { watch } from '../fixtures/hostile.text';
import { machineTest as test } from '../fixtures/machine';
import { signInByKey } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { MailboxPage } from '../pages/mailbox.page';
import { ProviderPage } from '../pages/provider.page';

const whitelistURL = ['https://app.example.org'];
const image = '<img src=x onerror=__ran()>';
/** Two attacks in one text that is short enough for a display name. */
const together = `${image}"><b class=injected onclick=__ran()>`;

/** Goes to another page as a link does: loading each page anew takes most of the time of these tests. */
const follow = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

async function taken(answer: Promise<APIResponse>): Promise<APIResponse> {
  const got = await answer;
  expect(got.ok(), await got.text()).toBe(true);
  return got;
}

test('hostile text from users, callers and a provider is shown as text on every page, and runs no script', async ({
  page,
  request,
}) => {
  const { expectClean } = await watch(page);
  /** Waits until each of the texts is shown literally. */
  const expectTexts = async (...texts: readonly string[]) => {
    for (const text of texts) await expect(page.locator('body')).toContainText(text);
    await expectClean();
  };
  const open = (path: string, ...texts: readonly string[]) =>
    page.goto(path).then(() => expectTexts(...texts));
  const openByLink = (path: string, ...texts: readonly string[]) =>
    follow(page, path).then(() => expectTexts(...texts));
  const email = newEmail();
  const login = new LoginPage(page);

  const token = await test.step('a name entered on the provider’s page is shown as text', async () => {
    await login.goto();
    await login.leaveFor('Google');
    await expectClean();
    await new ProviderPage(page, 'Google').signIn(email, together);
    await login.expectSuccess();
    await expect(page).toHaveURL('/');
    await expect(page.locator('body')).toContainText(together);
    await expectClean();
    return page.evaluate(() => localStorage.getItem('accessToken'));
  });
  await test.step('hostile names of projects, keys and origins are stored', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const post = (path: string, data: object) => request.post(path, { data, headers });
    const keys = await Promise.all(
      hostileTexts.map(async (text) => {
        await taken(post('/api/keys', { name: text }));
        const made = await taken(
          post('/devportal/v1/project', { projectName: text, whitelistURL, source: text }),
        );
        return ((await made.json()) as { apiKey: string }).apiKey;
      }),
    );
    const sent = { 'X-API-Key': String(keys[0]), Origin: hostileTexts[0], Referer: hostileTexts[0] };
    await request.get('/api/v1/key', { headers: sent });
    await taken(post('/api/v1/user/profile', { displayDesc: hostileTexts.join('\n') }));
  });
  await test.step('each page shows them as text', async () => {
    await open('/projects', ...hostileTexts);
    await openByLink('/keys', ...hostileTexts);
    await openByLink('/usage?call=1', hostileTexts[0]);
    await openByLink('/profile', together);
    await openByLink('/settings', together, ...hostileTexts);
    await open('/login?from=profile', email);
  });
  await test.step('the provider’s pages show its accounts as text', async () => {
    await open('/api/login?provider=google', `${together}, ${email}`);
    const state = encodeURIComponent(new URL('/auth/callback', page.url()).href);
    await open(`/api/v1/auth/identifier/APPLE?state=${state}&token=${token}`, email);
  });
});

test('hostile text in every field of the community is shown as text to readers and administrators, and runs no script', async ({
  page,
  request,
  baseURL,
}) => {
  const { expectClean } = await watch(page);
  const [author, reporter, admin] = await Promise.all([
    registerWithProfile(request, together),
    registerWithProfile(request),
    signInByKey(request, String(baseURL), administrator),
  ]);
  const post = async ({ accessToken }: Tokens, path: string, data: object) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await taken(request.post(`/api/forum${path}`, { data, headers }))).text();
  };
  const idIn = (text: string) => (JSON.parse(text) as { id: string }).id;
  const all = hostileTexts.join('\n\n');
  const fenced = `~~~${together}\n${all}\n~~~\n\n> ${together}\n\n| ${together} |\n| --- |\n| ${image} |`;
  const posts = await Promise.all(
    hostileTexts.map((title) => post(author, '/posts', { title, content: image, category: 'Bugs' })),
  );
  const id = idIn(posts[0] as string);
  // Its first posts are behind it, so that its texts may have more links.
  await post(author, `/posts/${id}/replies`, { content: all });
  const reply = idIn(await post(author, `/posts/${id}/replies`, { content: fenced }));
  await post(reporter, `/posts/${id}/report`, { reason: hostileTexts.join(' ').slice(0, 300) });
  await post(reporter, `/posts/${id}/report`, { reason: together, replyId: reply });

  await test.step('the author’s list, the post, a search and the form show them as text', async () => {
    await signIn(page, author);
    await page.goto('/community?show=mine');
    const list = page.getByRole('list', { name: 'Posts' });
    await expect(list.getByRole('listitem')).toHaveCount(hostileTexts.length);
    const shown = await list.innerText();
    for (const text of hostileTexts) expect(shown).toContain(text);
    await expectClean();
    await page.goto(`/community/posts/${id}`);
    await expect(page.getByRole('article')).toHaveCount(3);
    await expect(page.locator('main')).toContainText(together);
    await expectClean();
    await follow(page, `/community?q=${encodeURIComponent(together)}&category=${together}&show=${together}`);
    await expect(page.getByRole('searchbox', { name: 'Search posts' })).toHaveValue(together);
    await expectClean();
    const call = { method: image, endpoint: image, status: image, error: image, at: image };
    await follow(page, `/community/new?${new URLSearchParams(call)}`);
    await page.getByRole('textbox', { name: 'Title' }).fill(hostileTexts[0]);
    await page.getByRole('textbox', { name: 'Content' }).fill(`${all}\n\n${fenced}`);
    await page.getByText('Preview').click();
    await expect(page.getByRole('group', { name: 'Preview of Content' }).locator('pre')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Similar posts' })).toContainText(hostileTexts[0]);
    await expectClean();
  });
  await test.step('the reports and the reason of a moderation show them as text', async () => {
    await signInInstead(page, admin);
    await page.goto('/community/reports');
    const reports = page.getByRole('list', { name: 'Reports' });
    await expect(reports.getByRole('listitem').filter({ hasText: together }).first()).toBeVisible();
    await expect(reports).toContainText(hostileTexts[0]);
    await expectClean();
    await post(admin, `/posts/${id}/replies/${reply}/moderate`, { isHidden: true, reason: together });
    await post(admin, `/posts/${id}/moderate`, { isLocked: true, reason: together });
    await follow(page, `/community/posts/${id}`);
    await expect(page.getByText(`An administrator changed this: ${together}`)).toHaveCount(2);
    await expectClean();
  });
});

test('hostile text in URLs and emails is shown as text by the portal and the server’s pages, and the watch detects scripts', async ({
  page,
  request,
}) => {
  const { seen, expectClean } = await watch(page);
  await signIn(page, await registerWithProfile(request));

  await test.step('hostile text in a URL runs no script', async () => {
    const open = async (path: string) => {
      await page.goto(path);
      await expectClean();
    };
    for (const text of [together, '</script><script>__ran()</script>', 'javascript:__ran()', "'-__ran()-'"]) {
      const hostile = encodeURIComponent(text);
      await open(`/api/login?provider=${hostile}&state=${hostile}`);
      await open(`/api/v1/auth/identifier/GOOGLE?state=${hostile}&token=${hostile}&flow=${hostile}`);
      await open(
        `/api/v1/auth/GOOGLE/callback?state=${hostile}&error=${hostile}&error_description=${hostile}`,
      );
      await open(`/api/v1/auth/email/confirm?token=${hostile}`);
      await open(`/api/v1/auth/email/password?token=${hostile}`);
      await open(`/dev/openid/auth?client_id=${hostile}&redirect_uri=${hostile}&response_type=${hostile}`);
      await open(`/dev/openid/account/${hostile}`);
    }
    // A jsdom test checks how React shows each of these texts; this one checks that the policy reports nothing.
    const hostile = encodeURIComponent(`</script><script>__ran()</script>${together}`);
    await open(
      `/usage?status=${hostile}&origin=${hostile}&projectId=${hostile}&keyId=${hostile}&call=${hostile}&from=${hostile}`,
    );
    await open(`/login?from=${hostile}`);
    await open(`/auth/callback?token=${hostile}&refreshToken=${hostile}&error=${hostile}`);
    await open(`/nowhere/${hostile}?${hostile}#${hostile}`);
    await open(`/api/docs/?url=${hostile}&configUrl=${hostile}`);
  });
  await test.step('hostile text in an email address is shown as text in emails and on the pages that their links open', async () => {
    const email = `o'hara'+${newEmail()}`;
    const data = { email, password, passwordConfirm: password };
    await taken(request.post('/api/v1/auth/email/register', { data }));
    const mailbox = new MailboxPage(page);
    await mailbox.openLink(email, 'Confirm your email address');
    await expect(page.locator('body')).toContainText(email);
    await expectClean();
    await page.goto('/dev/mailbox');
    await expect(page.locator('body')).toContainText(`To ${email},`);
    await expectClean();
  });
  await test.step('the watch detects a script that runs, a dialog, and a script that the policy blocks', async () => {
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
});
