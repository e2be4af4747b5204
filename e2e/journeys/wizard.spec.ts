import { expect } from '@playwright/test';
import { registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { WizardPage } from '../pages/wizard.page';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a project is created with the keyboard only, its masked command cannot be selected, and a call made while offline appears later', async ({
  page,
  request,
  context,
  baseURL,
}) => {
  await signIn(page, await registerWithProfile(request));
  const wizard = new WizardPage(page);
  const { keyboard } = page;
  await wizard.goto();

  await test.step('the keyboard alone creates a project', async () => {
    await expect(wizard.nameInput).toBeFocused();
    await keyboard.type('By hand');
    await keyboard.press('Enter');
    await expect(wizard.urlInput).toBeFocused();
    for (const url of ['https://one.example.org', 'https://two.example.org']) {
      await keyboard.type(url);
      await keyboard.press('Enter');
      await expect(wizard.urlInput).toHaveValue('');
      await expect(wizard.urlInput).toBeFocused();
    }
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await expect(wizard.root.getByRole('button', { name: 'Remove https://one.example.org' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(wizard.urlInput).toBeFocused();
    await expect(wizard.whitelist.getByRole('listitem')).toHaveText(['https://two.example.org']);
    for (let presses = 0; presses < 4; presses++) await keyboard.press('Tab');
    await expect(wizard.createProject).toBeFocused();
    await keyboard.press('Enter');
    await wizard.expectState('summarised');
    await expect(wizard.heading).toBeFocused();
    await keyboard.press('Tab');
    await expect(wizard.revealKey).toBeFocused();
  });

  const apiKey = await test.step('the masked command cannot be selected with the mouse', async () => {
    const selected = () =>
      wizard.curlText.evaluate((element) => {
        getSelection()?.selectAllChildren(element.closest('figure') as Element);
        return String(getSelection());
      });
    expect(await selected()).not.toContain('X-API-Key');
    const viewport = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(wizard.firstCall).not.toBeInViewport();
    await wizard.copyKey.click();
    await expect(wizard.copyKey).toHaveText('Copied!');
    // Copying the key scrolls to where the call will appear, which is below the fold on a phone.
    await expect(wizard.firstCall).toBeInViewport({ ratio: 1 });
    if (viewport) await page.setViewportSize(viewport);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^oid_[0-9A-Za-z]{33}$/);
    await wizard.revealKey.focus();
    await keyboard.press('Space');
    await expect(wizard.keyText).toHaveText(copied);
    expect(await selected()).toContain(`X-API-Key: ${copied}`);
    return copied;
  });

  await test.step('a call made while the browser is offline appears once it is back online', async () => {
    await expect(wizard.firstCall).toHaveAttribute('data-state', 'waiting.listening');
    await context.setOffline(true);
    const answer = await fetch(`${baseURL}/api/v1/key`, { headers: { 'x-api-key': apiKey } });
    expect(answer.status).toBe(200);
    await expect(wizard.firstCall).toContainText('Waiting for your first call...');
    await context.setOffline(false);
    await expect(wizard.firstCall).toHaveAttribute('data-state', 'arrived');
    await expect(wizard.firstCall).toContainText('GET /api/v1/key');
    await wizard.openUsage.click();
    await expect(page).toHaveURL(/\/usage\?projectId=orange-[a-z0-9]{10}$/);
  });
});
