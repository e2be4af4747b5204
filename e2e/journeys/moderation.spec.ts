import { expect } from '@playwright/test';
import { registerWithProfile, signIn } from '../fixtures/account';
import { administrator } from '../fixtures/administrator';
import { axeFindings } from '../fixtures/axe';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { signInByKey } from '../fixtures/wallet';
import { tooWideElements } from '../fixtures/width';

test('an administrator locks, moves, pins and hides a reported post by keyboard, which a reader on a phone sees at once', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const title = `Cheap wallets ${Date.now()}`;
  const author = await registerWithProfile(request, 'Robin Author');
  const call = async (token: string, path: string, data: object) => {
    const answer = await request.post(`/api/forum${path}`, {
      data,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer;
  };
  const made = await call(author.accessToken, '/posts', { title, content: 'Buy now', category: 'Questions' });
  const { id } = (await made.json()) as { id: string };
  const reporter = await registerWithProfile(request, 'Sam Reporter');
  await call(reporter.accessToken, `/posts/${id}/report`, { reason: 'Advertising' });

  const reading = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const phone = await reading.newPage();
  await signIn(phone, author);
  await phone.goto(`/community/posts/${id}`);
  await expect(phone.getByRole('textbox', { name: 'Your reply' })).toBeVisible();
  await phone.waitForFunction(() => window.__portal?.reached('realtime', 'live').then(() => true));

  /** Enters the reason in the open dialog, whose last button confirms. */
  const giveReason = async (reason: string, act: string) => {
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('textbox', { name: 'Reason' });
    if (act === 'Save') await tabTo(page, field);
    await expect(field).toBeFocused();
    await page.keyboard.type(reason);
    await tabTo(page, dialog.getByRole('button', { name: act }));
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
  };

  await test.step('the administrator finds the report', async () => {
    await signIn(page, await signInByKey(request, String(baseURL), administrator));
    await page.goto('/community');
    await tabTo(page, page.getByRole('link', { name: /^Reports/ }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('list', { name: 'Reasons' }).getByText('Advertising')).toBeVisible();
  });

  await test.step('locking it takes the reader’s form away', async () => {
    await tabTo(page, page.getByRole('button', { name: `Lock post ${title}` }));
    await page.keyboard.press('Enter');
    await giveReason('Under review', 'Lock');
    await expect(phone.getByText('An administrator changed this: Under review')).toBeVisible();
    await expect(phone.getByRole('textbox', { name: 'Your reply' })).toHaveCount(0);
  });

  await test.step('moving and pinning it shows at the post', async () => {
    for (let steps = 0; steps < 2; steps += 1) await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('link', { name: title })).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Moderate' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Moderate post' });
    await tabTo(page, dialog.getByRole('checkbox', { name: /^Pinned/ }));
    await page.keyboard.press('Space');
    await tabTo(page, dialog.getByRole('combobox', { name: 'Category' }));
    await page.keyboard.press('ArrowDown');
    const active = page.locator('.ant-select-item-option-active');
    await expect(active).toHaveText('Questions');
    await page.keyboard.press('ArrowUp');
    await expect(active).toHaveText('Showcase');
    await page.keyboard.press('Enter');
    await giveReason('It shows a product', 'Save');
    const post = phone.getByRole('article', { name: title });
    await expect(post.getByText('Pinned')).toBeVisible();
    await expect(post.getByText('Showcase')).toBeVisible();
  });

  await test.step('hiding it takes the text away, and closes the report', async () => {
    await page.goBack();
    await tabTo(page, page.getByRole('button', { name: `Hide post ${title}` }));
    await page.keyboard.press('Enter');
    await giveReason('Advertising', 'Hide');
    await expect(phone.getByRole('heading', { name: 'Hidden post' })).toBeVisible();
    await expect(phone.getByText('Buy now')).toHaveCount(0);
    await expect(page.getByRole('link', { name: title })).toHaveCount(0);
    expect(await tooWideElements(phone)).toEqual([]);
    expect(await axeFindings(phone)).toEqual([]);
  });

  await test.step('the reports are a missing page for the reader', async () => {
    await phone.goto('/community/reports');
    await expect(phone.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  });
  await reading.close();
});
