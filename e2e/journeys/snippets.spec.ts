import { expect, type Page } from '@playwright/test';
import { newEmail } from '../fixtures/account';
import { startAppSite } from '../fixtures/app.site';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { openProject, registerWithProject } from '../fixtures/project';
import { startReactSite } from '../fixtures/react.site';
import { ProviderPage } from '../pages/provider.page';

/** What a page of the owner shows in a code block. */
const codeOf = async (page: Page, label: string) =>
  (await page.getByRole('group', { name: label, exact: true }).textContent()) ?? '';

for (const [way, label] of [
  ['Script tag', 'page with the script tag'],
  ['Redirect', 'page with a redirect'],
] as const) {
  test(`${way}: the copied page signs a person in on another origin, and the copied server verifies the token`, async ({
    page,
    browser,
    request,
  }) => {
    const port = await freePort();
    const origin = `http://app.example.com:${port}`;
    const owned = await registerWithProject(request, [origin], 'Acme Shop');
    await openProject(page, owned);
    await page.getByText(way, { exact: true }).last().click();
    const [pageCode, serverCode] = [await codeOf(page, label), await codeOf(page, 'Node.js server')];
    const site = await startAppSite(pageCode, { port, origin, serverCode });
    const context = await browser.newContext();
    try {
      const visitor = await context.newPage();
      // Straight to Google, as its button on the sign-in page does.
      await context.route(/\/api\/v1\/auth\/authorize\?/, (route) =>
        route.continue({ url: `${route.request().url()}&method=google` }),
      );
      const verified = visitor.waitForResponse(
        (response) => response.url() === `${origin}/api/me` && response.status() === 200,
      );
      await visitor.goto(origin);
      const opening = way === 'Script tag' ? visitor.waitForEvent('popup') : null;
      await visitor.getByRole('button', { name: /^Sign in/ }).click();
      const signIn = (await opening) ?? visitor;
      await new ProviderPage(signIn, 'Google').signIn(newEmail(), 'Ada Lovelace');
      await expect(signIn.getByText('Acme Shop', { exact: true })).toBeVisible();
      await signIn.getByRole('button', { name: 'Continue', exact: true }).click();
      const status = visitor.getByRole('status');
      await expect(status).toHaveText('Signed in as Ada Lovelace');
      expect(await (await verified).json()).toMatchObject({ name: 'Ada Lovelace' });
      expect(new URL(visitor.url()).search).toBe('');
      await visitor.reload();
      await expect(status).toHaveText('Signed in as Ada Lovelace');

      await visitor.getByRole('button', { name: 'Sign out' }).click();
      await expect(visitor.getByRole('button', { name: /^Sign in/ })).toBeVisible();
      const planted = new URLSearchParams({ token: 'a.b.c', refreshToken: 'planted', tab: 'x'.repeat(22) });
      await visitor.goto(`${origin}/?${planted}`);
      await expect(status).toHaveText(/this tab didn’t start th(e|is) sign-in/i);
      expect(await visitor.evaluate(() => JSON.stringify(localStorage))).not.toContain('planted');
    } finally {
      await context.close();
      await site.close();
    }
  });
}

test('React package: the copied app signs a person in on localhost, and drops planted tokens', async ({
  page,
  browser,
  request,
}) => {
  const owned = await registerWithProject(request, undefined, 'Acme Shop');
  await openProject(page, owned);
  await page.getByText('React package', { exact: true }).last().click();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const site = await startReactSite(await codeOf(page, 'React app'), port);
  const context = await browser.newContext();
  try {
    const visitor = await context.newPage();
    await visitor.goto(origin);
    await visitor.getByRole('button', { name: 'Continue with Google' }).click();
    await new ProviderPage(visitor, 'Google').signIn(newEmail(), 'Ada Lovelace');
    await expect(visitor.getByText('Acme Shop', { exact: true })).toBeVisible();
    await visitor.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(visitor.getByText('Signed in as Ada Lovelace')).toBeVisible();
    await expect(visitor).toHaveURL(`${origin}/`);
    await visitor.getByRole('button', { name: 'Sign out' }).click();
    await expect(visitor.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
    await visitor.goto(`${origin}/auth/callback/1-2-3-4?token=a.b.c&refreshToken=planted`);
    await expect(visitor.getByText('This tab didn’t start this sign-in.')).toBeVisible();
    expect(await visitor.evaluate(() => JSON.stringify(localStorage))).not.toContain('planted');
  } finally {
    await context.close();
    await site.close();
  }
});
