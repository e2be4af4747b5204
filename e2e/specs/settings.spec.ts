import { expect } from '@playwright/test';
import { newEmail, register, registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { SettingsPage } from '../pages/settings.page';

test('only the changed field is sent, unchanged sends nothing, Cancel and Escape restore', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const sent: unknown[] = [];
  page.on('request', (call) => {
    if (call.url().endsWith('/api/v1/user/profile')) sent.push(call.postDataJSON());
  });
  const { displayName, email, ...settings } = new SettingsPage(page);
  await settings.page.goto('/settings');

  await displayName.edit.click();
  await expect(displayName.input).toBeFocused();
  await displayName.save.click();
  await displayName.expectState('viewing');
  await displayName.edit.click();
  await displayName.input.fill('Somebody else');
  await displayName.cancel.click();
  await expect(displayName.root).toContainText('Ada');
  await displayName.edit.click();
  await displayName.input.fill('Somebody else');
  await displayName.input.press('Escape');
  await displayName.expectState('viewing');
  expect(sent).toEqual([]);

  await displayName.change('Grace');
  await expect(page.getByText('Profile Updated').first()).toBeVisible();
  expect(sent).toEqual([{ displayName: 'Grace' }]);
  await expect(email.edit).toBeVisible();
  await page.reload();
  await expect(displayName.root).toContainText('Grace');
});

test("another account's e-mail is refused beside the field and the draft stays", async ({
  page,
  request,
}) => {
  const other = await register(request);
  await signIn(page, await register(request));
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.email.edit).toBeVisible();
  await settings.email.edit.click();
  await expect(settings.email.input).toHaveAttribute('type', 'email');
  await expect(settings.email.input).toHaveAttribute('placeholder', 'Enter email address');
  await settings.email.input.fill('not an address');
  await settings.email.save.click();
  await expect(settings.email.root).toContainText('Please enter an email address such as name@example.com.');
  await settings.email.input.fill(other.email);
  await settings.email.save.click();
  await expect(settings.email.root).toContainText('Another account uses this email');
  await expect(page.getByText('Failed to update profile: 409').first()).toBeVisible();
  await expect(settings.email.input).toHaveValue(other.email);
  await settings.email.cancel.click();
  await settings.email.change(newEmail());
});

test('a session that ended elsewhere is told and leads to the sign-in page', async ({ page, request }) => {
  await signIn(page, await registerWithProfile(request));
  const settings = new SettingsPage(page);
  await settings.goto();
  await settings.displayName.edit.click();
  await settings.displayName.input.fill('Too late');
  await page.route('**/api/v1/user/profile', (route) =>
    route.fulfill({ status: 401, contentType: 'application/json', body: '{"message":"expired"}' }),
  );
  await settings.displayName.save.click();
  await expect(page.getByText('Your session has expired. Redirecting to login...').first()).toBeVisible();
  await expect(page).toHaveURL('/login');
});
