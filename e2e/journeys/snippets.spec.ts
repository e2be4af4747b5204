import { expect, type Page } from '@playwright/test';
import { newEmail, password } from '../fixtures/account';
import { startAppSite } from '../fixtures/app.site';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { openProject, registerWithProject } from '../fixtures/project';
import { startReactSite } from '../fixtures/react.site';
import { installWallet } from '../fixtures/wallet';
import { LoginPage } from '../pages/login.page';
import { ProviderPage } from '../pages/provider.page';

/** What a page of the owner shows in a code block. */
const codeOf = async (page: Page, label: string) =>
  (await page.getByRole('group', { name: label, exact: true }).textContent()) ?? '';

/** A method's button, what a new person does after it, and what an app then shows. */
const methods = [
  {
    button: 'Continue with Google',
    name: 'Signed in as Ada Lovelace',
    finish: (page: Page) => new ProviderPage(page, 'Google').signIn(newEmail(), 'Ada Lovelace'),
  },
  {
    button: 'Continue with email',
    name: /^Signed in as .+/,
    async finish(page: Page) {
      const login = new LoginPage(page);
      await page.getByRole('button', { name: /create an account/i }).click();
      await login.email.fill(newEmail());
      await login.password.fill(password);
      await login.confirmPassword.fill(password);
      await page.getByRole('button', { name: /^create account$/i }).click();
    },
  },
  {
    button: 'Connect Wallet',
    name: /^Signed in as .+/,
    finish: (page: Page) => page.getByRole('button', { name: /Test Wallet/ }).click(),
  },
];

for (const [way, label] of [
  ['Script tag', 'page with the script tag'],
  ['React package', 'React app'],
  ['Redirect', 'page with a redirect'],
] as const) {
  test(`${way}: the copied app signs people in by each method on another origin, its server verifies the token, and planted tokens are dropped`, async ({
    page,
    browser,
    request,
  }) => {
    const origin = `https://app.example.com:${await freePort()}`;
    const owned = await registerWithProject(request, [origin], 'Acme Shop');
    await openProject(page, owned);
    await page.getByText(way, { exact: true }).last().click();
    const [pageCode, serverCode] = [await codeOf(page, label), await codeOf(page, 'Node.js server')];
    const place = { origin, serverCode };
    const isReact = way === 'React package';
    const site = isReact ? await startReactSite(pageCode, place) : await startAppSite(pageCode, place);
    try {
      for (const { button, name, finish } of methods) {
        const context = await browser.newContext();
        const visitor = await context.newPage();
        // A window that the page opens has the wallet too.
        await installWallet(context);
        const verified = visitor.waitForResponse((response) => response.url() === `${origin}/api/me`);
        await visitor.goto(origin);
        // The panel in a page leaves it for Google only; what a person types is typed in a window of the portal.
        const hasWindow = isReact ? !button.includes('Google') : way === 'Script tag';
        const opening = hasWindow ? visitor.waitForEvent('popup') : null;
        await visitor.getByRole('button', { name: isReact ? button : /^Sign in/ }).click();
        const signingIn = (await opening) ?? visitor;
        if (!isReact) await signingIn.getByRole('button', { name: button }).click();
        await finish(signingIn);
        await expect(signingIn.getByText('Acme Shop', { exact: true })).toBeVisible();
        await signingIn.getByRole('button', { name: 'Continue', exact: true }).click();
        const shown = visitor.getByText(name).first();
        await expect(shown).toBeVisible();
        if (isReact) await visitor.getByRole('button', { name: 'Ask my server' }).click();
        const answer = await verified;
        expect(answer.status(), await answer.text()).toBe(200);
        await expect(visitor).toHaveURL(`${origin}/`);
        await visitor.reload();
        await expect(shown).toBeVisible();

        await visitor.getByRole('button', { name: 'Sign out' }).click();
        await expect(visitor.getByRole('button', { name: isReact ? /Google/ : /^Sign in/ })).toBeVisible();
        await context.close();
      }
      const query = new URLSearchParams({ token: 'a.b.c', refreshToken: 'planted', tab: 'x'.repeat(22) });
      const victim = await browser.newContext();
      const visitor = await victim.newPage();
      await visitor.goto(`${origin}${isReact ? '/auth/callback/1-2-3-4' : '/'}?${query}`);
      await expect(visitor.getByText(/this tab didn’t start th(e|is) sign-in/i)).toBeVisible();
      expect(await visitor.evaluate(() => JSON.stringify(localStorage))).not.toContain('planted');
      await victim.close();
    } finally {
      await site.close();
    }
  });
}
