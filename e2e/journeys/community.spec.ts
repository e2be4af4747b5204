import { expect } from '@playwright/test';
import { registerWithProfile, signIn } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test } from '../fixtures/machine';
import { tooWideElements } from '../fixtures/width';

test('a developer asks by keyboard, another one answers on a phone, and each sees the other live', async ({
  page,
  request,
  browser,
}) => {
  const title = `Balance of a new wallet ${Date.now()}`;
  const reader = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const phone = await reader.newPage();
  await signIn(phone, await registerWithProfile(request, 'Sam Phone'));
  await phone.goto('/community');
  await expect(phone.getByRole('link', { name: 'New post' }).first()).toBeVisible();
  await phone.waitForFunction(() => window.__portal?.reached('realtime', 'live').then(() => true));

  await test.step('the post is written and published by keyboard alone', async () => {
    await signIn(page, await registerWithProfile(request, 'Robin Desk'));
    await page.goto('/community');
    await page.getByRole('link', { name: 'New post' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title' }).focus();
    await page.keyboard.type(title);
    await page.getByRole('textbox', { name: 'Content' }).focus();
    await page.keyboard.type(
      'It is **null**. Why?\n\n```js\nconst a = 1;\n```\n\n<img src=x onerror=alert(1)>',
    );
    await expect(page.getByRole('button', { name: 'Publish' })).toBeEnabled();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Publish' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.locator('article strong', { hasText: 'null' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy code' })).toBeVisible();
    await expect(page.locator('article img')).toHaveCount(0);
  });

  await test.step('the phone shows it on request, replies, and mentions the author', async () => {
    await phone.getByRole('button', { name: /new posts?$/ }).click();
    await phone.getByRole('link', { name: title }).click();
    await expect(phone.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const reply = phone.getByRole('textbox', { name: 'Your reply' });
    await reply.pressSequentially('@Rob');
    await phone.getByRole('menuitem', { name: 'Robin Desk' }).click();
    await expect(reply).toHaveValue('@Robin Desk ');
    await reply.pressSequentially('it has no calls yet');
    await phone.getByRole('button', { name: 'Reply' }).click();
    await expect(phone.getByRole('article', { name: 'Reply by Sam Phone' })).toBeVisible();
    expect(await tooWideElements(phone)).toEqual([]);
    expect(await axeFindings(phone)).toEqual([]);
  });

  await test.step('the author sees the reply on request and accepts it, which the phone shows', async () => {
    await page.getByRole('button', { name: '1 new reply' }).click();
    await page.getByRole('button', { name: 'Accept as answer' }).click();
    await expect(page.getByText('Accepted answer')).toBeVisible();
    await expect(phone.getByText('Accepted answer')).toBeVisible();
  });

  await test.step('the search finds the post while it is typed, by the beginning of a word', async () => {
    await phone.goto('/community');
    await phone.getByRole('searchbox', { name: 'Search posts' }).fill(title.slice(0, -3));
    await expect(phone.getByRole('list', { name: 'Posts' }).getByRole('listitem')).toHaveCount(1);
    await expect(phone.getByRole('link', { name: title })).toBeVisible();
    await expect(phone).toHaveURL(/q=Balance/);
  });

  await test.step('the author deletes the post, and its page says that it is gone', async () => {
    const address = page.url();
    await page.getByRole('article', { name: title }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete post' }).getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL('/community');
    await phone.goto(address);
    await expect(phone.getByRole('heading', { name: 'Post not found' })).toBeVisible();
  });
  await reader.close();
});
