import AxeBuilder from '@axe-core/playwright';
import { countries } from '@orange-id/contract/countries';
import { expect, type Page } from '@playwright/test';
import { register, registerWithProfile, signIn } from '../fixtures/account';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { isTooWide } from '../fixtures/width';
import { SettingsPage } from '../pages/settings.page';

const saveCall = '**/api/v1/user/profile';

/** The bodies of the calls that save the profile. */
function sentBy(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on('request', (call) => {
    if (call.url().endsWith('/api/v1/user/profile')) sent.push(call.postDataJSON());
  });
  return sent;
}

const unique = (name: string) => `${name}${Math.random().toString(36).slice(2, 8)}`;

test('each field has its label and placeholder, and is sent alone under the name of the call', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  const sent = sentBy(page);
  const settings = new SettingsPage(page);
  await settings.goto();
  // The account comes first, signing in before the picture.
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Account',
    'Sign-in',
    'Profile Picture',
  ]);
  const name = unique('ada');
  for (const [field, placeholder, value, shown, body] of [
    [settings.displayName, 'Enter display name', 'Ada', 'Ada', { displayName: 'Ada' }],
    [settings.username, 'Enter username', `@${name}`, `@${name}`, { userName: name }],
    [settings.bio, 'Tell us about yourself', 'One\nTwo', 'One\nTwo', { displayDesc: 'One\nTwo' }],
  ] as const) {
    await expect(field.root).toContainText('Not set');
    await field.edit.click();
    await expect(field.input).toBeFocused();
    await expect(field.input).toHaveAttribute('placeholder', placeholder);
    await field.input.fill(value);
    await field.save.click();
    await expect(settings.toast('Profile Updated', 'saved.')).toBeVisible();
    await field.expectState('viewing');
    await expect(field.root.locator('.profile-field-value')).toHaveText(shown, { useInnerText: true });
    expect(sent.splice(0)).toEqual([body]);
    await expect(field.edit).toBeFocused();
  }
  await settings.email.edit.click();
  await expect(settings.email.input).toHaveAttribute('type', 'email');
  await expect(settings.email.input).toHaveAttribute('placeholder', 'Enter email address');
  await settings.email.cancel.click();

  await settings.username.edit.click();
  await expect(settings.username.input).toHaveValue(name);
  await expect(settings.username.root.locator('.ant-input-prefix')).toHaveText('@');
  await settings.username.input.fill('');
  await settings.username.save.click();
  await expect(settings.username.root).toContainText('Not set');
  expect(sent).toEqual([{ userName: '' }]);
  await page.reload();
  await expect(settings.bio.root.locator('.profile-field-value')).toHaveText('One\nTwo', {
    useInnerText: true,
  });
});

test('the country is chosen from 79, found by typing, kept by Cancel, and cleared', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  const sent = sentBy(page);
  const { location, countries: list, ...settings } = new SettingsPage(page);
  await settings.page.goto('/settings');
  await location.edit.click();
  await expect(location.root.getByText('Select your country', { exact: true })).toBeVisible();
  await location.input.click();
  const options = list.locator('.ant-select-item-option');
  await expect(options).toHaveCount(79);
  await expect(options).toHaveText([...countries]);
  expect(await list.locator('.ant-select-dropdown-list-holder').evaluate((box) => box.clientHeight)).toBe(
    240,
  );
  await options.first().click();
  await expect(location.root.locator('.ant-select')).toContainText('Afghanistan');
  await location.cancel.click();
  await expect(location.root).toContainText('Not set');
  expect(sent).toEqual([]);

  await location.edit.click();
  await location.input.click();
  await page.keyboard.type('vietn');
  await expect(options).toHaveText(['Vietnam']);
  await page.keyboard.press('Enter');
  await location.save.click();
  await expect(location.root.locator('.profile-field-value')).toHaveText('Vietnam');
  await location.edit.click();
  await location.save.click();
  await location.expectState('viewing');
  expect(sent).toEqual([{ country: 'Vietnam' }]);

  await location.edit.click();
  await location.root.locator('.ant-select').hover();
  await location.root.locator('.ant-select-clear').click();
  await location.save.click();
  await expect(location.root).toContainText('Not set');
  expect(sent.at(-1)).toEqual({ country: '' });
});

test('a country that is not among them is shown and can be kept', async ({ page, request }) => {
  const account = await register(request);
  await signIn(page, account);
  // As a hosted service may have it.
  const userCall = '**/api/v1/auth/user';
  await page.route(userCall, async (route) => {
    const known = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...known, country: 'Zambia' } });
  });
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.location.root.locator('.profile-field-value')).toHaveText('Zambia');
  await settings.location.edit.click();
  await expect(settings.location.root.locator('.ant-select')).toContainText('Zambia');
  await settings.location.input.click();
  await expect(settings.countries.locator('.ant-select-item-option')).toHaveCount(80);
  await settings.country('Italy').click();
  await page.unroute(userCall);
  await settings.location.save.click();
  await expect(settings.location.root.locator('.profile-field-value')).toHaveText('Italy');
});

test('a hosted service that answers with little of the profile has saved it all the same', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  await page.route(saveCall, (route) => route.fulfill({ json: { data: { updatedAt: '2026-01-01' } } }));
  const settings = new SettingsPage(page);
  await settings.goto();
  await settings.displayName.edit.click();
  await settings.displayName.input.fill('Ada');
  await settings.displayName.save.click();
  await expect(settings.toast('Profile Updated', 'saved.')).toBeVisible();
  await expect(settings.displayName.root.locator('.profile-field-value')).toHaveText('Ada');
});

test('names of 80 characters pass, emoji and all; longer ones, taken ones and invisible ones are told in place', async ({
  page,
  request,
}) => {
  const taken = unique('taken');
  const other = await register(request);
  await request.post('/api/v1/user/profile', {
    data: { userName: taken },
    headers: { authorization: `Bearer ${other.accessToken}` },
  });
  await signIn(page, await register(request));
  const { displayName, username, bio, ...settings } = new SettingsPage(page);
  await settings.page.goto('/settings');
  await displayName.change('🍊'.repeat(80));
  await displayName.change('x'.repeat(80));
  for (const [field, value, sentence] of [
    [displayName, '🍊'.repeat(81), 'Display Name must have at most 80 characters.'],
    [displayName, '   ', 'Display Name must not be empty.'],
    [displayName, 'A\u202eb', 'Display Name must not contain invisible or control characters.'],
    [username, 'u'.repeat(41), 'Username must have at most 40 characters.'],
    [username, '@', 'Username must use only letters a–z, digits, dots, hyphens and underscores.'],
    [username, taken.toUpperCase(), 'Another account uses this username'],
    [bio, 'b'.repeat(1001), 'Bio must have at most 1000 characters.'],
  ] as const) {
    await field.edit.click();
    await field.input.fill(value);
    await field.save.click();
    await expect(field.root.getByText(sentence, { exact: true })).toBeVisible();
    await field.expectState('editing');
    await expect(field.input).toHaveValue(value);
    await expect(field.input).toBeFocused();
    await field.cancel.click();
  }
});

test('Save pressed twice saves once, and while it saves it says so', async ({ page, request, machine }) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const sent = sentBy(page);
  let letGo!: () => void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(saveCall, async (route) => {
    await held;
    await route.continue();
  });
  const { bio, ...settings } = new SettingsPage(page);
  await settings.page.goto('/settings');
  await bio.edit.click();
  await bio.input.fill('Once');
  await bio.save.dblclick();
  await bio.expectState('saving');
  await expect(bio.save).toHaveText('Saving...');
  await expect(bio.save).toBeDisabled();
  await expect(bio.cancel).toBeDisabled();
  expect(await machine('profileField.bio').legal()).toEqual([]);
  letGo();
  await bio.expectState('viewing');
  expect(sent).toEqual([{ displayDesc: 'Once' }]);
});

test('without a network what was typed stays, is said to be kept, and is saved when it is back', async ({
  page,
  context,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const settings = new SettingsPage(page);
  await settings.goto();
  await settings.bio.edit.click();
  await settings.bio.input.fill('Typed in a tunnel');
  await context.setOffline(true);
  await settings.bio.save.click();
  await expect(settings.toast('Update Failed', 'Failed to update profile: 0')).toBeVisible();
  await expect(settings.bio.root).toContainText(
    'The server couldn’t be reached. Your change is still here, so you can try again.',
  );
  await expect(settings.bio.input).toHaveValue('Typed in a tunnel');
  expect(problems.some((text) => text.includes('Saving bio failed'))).toBe(true);
  await context.setOffline(false);
  await settings.bio.save.click();
  await settings.bio.expectState('viewing');
  await expect(settings.bio.root).toContainText('Typed in a tunnel');
});

for (const status of [401, 403])
  test(`a save answered ${status} says that the session has expired and leads to the sign-in page`, async ({
    page,
    request,
  }) => {
    await signIn(page, await registerWithProfile(request, 'Ada'));
    await page.route(saveCall, (route) => route.fulfill({ status, json: { message: 'no' } }));
    const settings = new SettingsPage(page);
    await settings.goto();
    await settings.bio.edit.click();
    await settings.bio.input.fill('Too late');
    await settings.bio.save.click();
    await expect(
      settings.toast('Session Expired', 'Your session has expired. Redirecting to login...'),
    ).toBeVisible();
    await expect(page).toHaveURL('/login');
  });

test('a profile that cannot be read says so, and Try again reads it', async ({ page, request }) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  await page.route('**/api/v1/auth/user', (route) => route.fulfill({ status: 503, json: {} }));
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(page.getByText('Failed to load your profile')).toBeVisible();
  await page.unroute('**/api/v1/auth/user');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(settings.displayName.root).toContainText('Ada');
});

test('the keyboard alone edits a name and chooses a country; Escape closes the list first, then the field', async ({
  page,
  request,
}) => {
  await signIn(page, await registerWithProfile(request, 'Ada'));
  const { displayName, location, countries: list, ...settings } = new SettingsPage(page);
  await settings.page.goto('/settings');
  await tabTo(page, displayName.edit);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Grace');
  await page.keyboard.press('Enter');
  await expect(displayName.edit).toBeFocused();
  await expect(displayName.root).toContainText('Grace');

  await tabTo(page, location.edit);
  await page.keyboard.press('Enter');
  await expect(location.input).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list.locator('.ant-select-item-option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list.locator('.ant-select-item-option').first()).toBeHidden();
  await location.expectState('editing');
  await page.keyboard.press('Escape');
  await location.expectState('viewing');
  await page.keyboard.press('Enter');
  await page.keyboard.type('ital');
  await page.keyboard.press('Enter');
  await tabTo(page, location.save);
  await page.keyboard.press('Enter');
  await expect(location.root.locator('.profile-field-value')).toHaveText('Italy');
});

test('what is typed stays when the system is told to stop, or to allow, motion', async ({
  page,
  request,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await signIn(page, await register(request));
  const settings = new SettingsPage(page);
  await page.goto('/settings');
  await settings.bio.edit.click();
  await settings.bio.input.fill('Half a sentence');
  const kept = await settings.bio.input.elementHandle();
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(await kept?.evaluate((field) => field === document.activeElement && field.isConnected)).toBe(true);
    await expect(settings.bio.input).toHaveValue('Half a sentence');
  }
});

test('axe finds nothing in view and in edit, light and dark, and 320 px are wide enough', async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  await signIn(page, await registerWithProfile(request, 'W'.repeat(80)));
  const settings = new SettingsPage(page);
  await settings.goto();
  await expect(settings.sessions).toHaveCount(1);
  await settings.bio.change('b'.repeat(1000));
  for (const state of ['view', 'edit', 'list'] as const) {
    if (state === 'edit') {
      for (const field of [settings.displayName, settings.username, settings.bio, settings.email])
        await field.edit.click();
      await settings.displayName.input.fill('');
      await settings.displayName.save.click();
      await settings.location.edit.click();
    }
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      if (state === 'list') {
        await settings.location.input.click();
        await expect(settings.country('Afghanistan')).toBeVisible();
      }
      // For the moment in which it is measured, the list stands far outside the page.
      await expect.poll(() => isTooWide(page)).toBe(false);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
        const { violations } = await new AxeBuilder({ page })
          // The list is scrolled by the arrow keys of its combobox, and so needs no focus of its own.
          .disableRules(state === 'list' ? ['scrollable-region-focusable'] : [])
          .analyze();
        expect(violations.map(({ id, nodes }) => [state, id, nodes.map(({ html }) => html)])).toEqual([]);
      }
      if (state === 'list') await page.keyboard.press('Escape');
    }
  }
});
