import { expect } from '@playwright/test';
import { newEmail, register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { MailboxPage } from '../pages/mailbox.page';
import { SettingsPage } from '../pages/settings.page';

test('an email address is confirmed through the mail, the link is sent again on demand, and Settings notices it and another address', async ({
  page,
  context,
  request,
}) => {
  const account = await register(request);
  await signIn(page, account);
  await page.clock.install();
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.confirmation).toContainText(account.email);
  await settings.confirmation.getByRole('button', { name: 'Resend link' }).click();
  await expect(settings.confirmation).toContainText(`We sent a new link to ${account.email}.`);

  // In a window beside it, so that nobody comes back to the page.
  const beside = await context.newPage();
  await new MailboxPage(beside).openLink(account.email, 'Confirm your email address');
  await expect(beside.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible();
  await beside.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(beside.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible();
  await page.clock.fastForward(5_000);
  await expect(settings.confirmation).toBeHidden();
  await expect(settings.profileLink).toBeVisible();

  const email = newEmail();
  await settings.email.change(email);
  await expect(settings.confirmation).toContainText(email);
});
