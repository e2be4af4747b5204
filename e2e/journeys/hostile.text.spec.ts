import { hostileTexts } from '@orange-id/contract/hostile.text.fixture';
import { expect, type APIResponse } from '@playwright/test';
import { newEmail, password, registerWithProfile, signIn } from '../fixtures/account';
import { watch } from '../fixtures/hostile.text';
import { machineTest as test } from '../fixtures/machine';
import { LoginPage } from '../pages/login.page';
import { MailboxPage } from '../pages/mailbox.page';
import { ProviderPage } from '../pages/provider.page';

const whitelistURL = ['https://app.example.org'];
const image = '<img src=x onerror=__ran()>';
/** Two in one, as long as a display name may be. */
const together = `${image}"><b class=injected onclick=__ran()>`;

async function taken(answer: Promise<APIResponse>): Promise<APIResponse> {
  const got = await answer;
  expect(got.ok(), await got.text()).toBe(true);
  return got;
}

test('hostile text of users, of callers and of a provider is shown as text on every page that shows it, and runs no script', async ({
  page,
  request,
}) => {
  const { expectClean } = await watch(page);
  /** Opens a page and waits until each of the texts stands there as it was written. */
  const open = async (path: string, ...texts: readonly string[]) => {
    await page.goto(path);
    for (const text of texts) await expect(page.locator('body')).toContainText(text);
    await expectClean();
  };
  const email = newEmail();
  const login = new LoginPage(page);

  const token = await test.step('a name that comes from a provider, on whose page it was typed', async () => {
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
  await test.step('names of projects, keys and origins', async () => {
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
  await test.step('each page that shows them', async () => {
    await open('/projects', ...hostileTexts);
    await open('/keys', ...hostileTexts);
    await open('/usage?call=1', hostileTexts[0]);
    await open('/profile', together);
    await open('/settings', together, ...hostileTexts);
    await open('/login?from=profile', email);
  });
  await test.step('the pages of the provider, which list whom it knows', async () => {
    await open('/api/login?provider=google', `${together}, ${email}`);
    const state = encodeURIComponent(new URL('/auth/callback', page.url()).href);
    await open(`/api/v1/auth/identifier/APPLE?state=${state}&token=${token}`, email);
  });
});

test('hostile text in addresses and mails is shown as text, by the portal and by the pages of the server, and the watch sees what would run', async ({
  page,
  request,
}) => {
  const { seen, expectClean } = await watch(page);
  await signIn(page, await registerWithProfile(request));

  await test.step('in an address', async () => {
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
    // What React shows of each of these texts is seen in jsdom; here, that the policy has nothing to report.
    const hostile = encodeURIComponent(`</script><script>__ran()</script>${together}`);
    await open(
      `/usage?status=${hostile}&origin=${hostile}&projectId=${hostile}&keyId=${hostile}&call=${hostile}&from=${hostile}`,
    );
    await open(`/login?from=${hostile}`);
    await open(`/auth/callback?token=${hostile}&refreshToken=${hostile}&error=${hostile}`);
    await open(`/nowhere/${hostile}?${hostile}#${hostile}`);
    await open(`/api/docs/?url=${hostile}&configUrl=${hostile}`);
  });
  await test.step('in an email address, in mails and on the pages that their links open', async () => {
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
  await test.step('the watch sees a script that runs, a dialog, and a script that the policy stops', async () => {
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
