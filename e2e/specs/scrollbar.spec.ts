import { expect, type Page } from '@playwright/test';
import { registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';

/** Where the header's last control ends, and whether the page scrolls. */
const headerOf = (page: Page) =>
  page.evaluate(() => ({
    end: document.querySelector('.header-side > :nth-last-child(2)')?.getBoundingClientRect().right,
    isScrollable: document.documentElement.scrollHeight > window.innerHeight,
  }));

test('the header stands in one place whether a page scrolls or not, and while a dialog is open', async ({
  playwright,
  request,
  baseURL,
}, { project }) => {
  const browser = await playwright.chromium.launch({
    ...project.use.launchOptions,
    // Without it scrollbars lie over the page, as on a phone.
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  try {
    const page = await browser.newPage({ ...project.use.contextOptions, ...(baseURL ? { baseURL } : {}) });
    await page.setViewportSize({ width: 1280, height: 2000 });
    await page.goto('/faq');
    await expect(page.getByText('Coming Soon')).toBeVisible();
    const short = await headerOf(page);
    await page.setViewportSize({ width: 1280, height: 500 });
    await expect.poll(() => headerOf(page)).toEqual({ end: short.end, isScrollable: true });
    expect([short.isScrollable, short.end! < 1280]).toEqual([false, true]);

    await signIn(page, await registerWithProfile(request));
    await page.goto('/settings');
    const out = page.getByRole('button', { name: 'Sign out everywhere' });
    await expect(out).toBeVisible();
    const before = await headerOf(page);
    await out.click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(await headerOf(page)).toEqual(before);
  } finally {
    await browser.close();
  }
});
