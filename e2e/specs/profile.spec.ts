import AxeBuilder from '@axe-core/playwright';
import type { Project } from '@orange-id/contract/projects.schema';
import { expect, type Page } from '@playwright/test';
import { createProject, password, register, registerWithProfile, signIn } from '../fixtures/account';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { installWallet } from '../fixtures/wallet';
import { isTooWide } from '../fixtures/width';
import { LoginPage } from '../pages/login.page';
import { MethodsPage } from '../pages/methods.page';
import { ProfilePage } from '../pages/profile.page';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const short = '0xd8dA6...7aA96045';
const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const unavailable = { status: 503, json: { statusCode: 503, message: 'Not now', error: 'x' } };

/** The identity service knows more of the user than anybody could say here. */
const answerUser = (page: Page, more: object) =>
  page.route('**/api/v1/auth/user', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...more } });
  });

test.describe('the page', () => {
  test('shows who one is, the contact tiles, the rank and the way to Settings', async ({ page, request }) => {
    const account = await registerWithProfile(request, 'Ada Lovelace');
    await signIn(page, account);
    await answerUser(page, {
      userName: 'ada',
      bio: 'Builds engines.\nLikes proofs.',
      country: 'Italy',
      ethAddress: address,
      createdAt: '2026-03-04T12:00:00.000Z',
      picture: '/orange-id.svg',
    });
    const profile = new ProfilePage(page);
    await profile.goto();
    await expect(profile.banner.getByRole('heading', { level: 2 })).toHaveText('Ada Lovelace');
    await expect(profile.banner).toContainText('@ada');
    await expect(profile.banner).toContainText('Builds engines.');
    await expect(profile.banner.locator('img')).toHaveAttribute('src', '/orange-id.svg');
    await expect(profile.tile('Email')).toHaveText(account.email);
    await expect(profile.tile('Wallet')).toHaveText(short);
    await expect(profile.tile('Location')).toHaveText('Italy');
    await expect(profile.tile('Joined')).toHaveText('4 Mar 2026');
    await expect(profile.rank.getByRole('heading')).toHaveText('Observer');
    await expect(profile.rank).toContainText('50 XP');
    await profile.editProfile.click();
    await expect(page).toHaveURL('/settings');
  });

  test('of a new account says what is not there, and where to begin', async ({ page, request }) => {
    await signIn(page, await register(request));
    const profile = new ProfilePage(page);
    await profile.goto();
    await expect(profile.banner.getByRole('heading', { level: 2 })).toHaveText('New Observer');
    await expect(profile.tile('Wallet')).toHaveText('Not connected');
    await expect(profile.tile('Location')).toHaveText('Not set');
    await expect(profile.projects).toContainText('There are no projects to display');
    await expect(profile.projects).toContainText('Create your first project to get started');
    await expect(profile.projects.getByRole('link', { name: 'Create New Project' })).toHaveAttribute(
      'href',
      '/orange-id',
    );
    await expect(profile.allProjects).toHaveText('View All Projects (0)');
    await expect(profile.wallets).toContainText('No wallet connected');
    await expect(profile.connectWallet).toHaveAttribute('href', '/login?from=profile');
  });

  test('shows the first three projects and how many there are', async ({ page, request }) => {
    const account = await registerWithProfile(request);
    for (const projectName of ['One', 'Two', 'Three', 'Four'])
      await createProject(request, account, { projectName, whitelistURL: ['https://app.example.org'] });
    await signIn(page, account);
    const answer = await request.get('/devportal/v1/user/projects', {
      headers: { authorization: `Bearer ${account.accessToken}` },
    });
    const listed = ((await answer.json()) as Project[]).map(({ projectName }) => projectName);
    expect(listed).toHaveLength(4);

    const profile = new ProfilePage(page);
    await profile.goto();
    await expect(profile.projects.getByRole('listitem').getByRole('link')).toHaveText(listed.slice(0, 3));
    await expect(profile.allProjects).toHaveText('View All Projects (4)');
    await profile.projects.getByRole('link', { name: listed[1]!, exact: true }).click();
    await expect(page.getByRole('heading', { name: listed[1]!, exact: true })).toBeVisible();
    await page.goBack();
    await profile.allProjects.click();
    await expect(page).toHaveURL('/projects');
  });

  test('each part that cannot be loaded says so, with a Retry that helps', async ({ page, request }) => {
    await signIn(page, await registerWithProfile(request));
    const failing = /\/(?:devportal\/v1\/user\/projects|api\/reward\/profile|api\/v1\/auth\/identifiers)$/;
    await page.route(failing, (route) => route.fulfill(unavailable));
    const profile = new ProfilePage(page);
    await profile.goto();
    const parts = [
      [profile.rank, 'Failed to load your rank', 'Observer'],
      [profile.projects, 'Failed to load projects', 'There are no projects to display'],
      [profile.socials, 'Failed to load your linked accounts', 'Google'],
      [profile.wallets, 'Failed to load your linked wallets', 'No wallet connected'],
    ] as const;
    for (const [part, told] of parts) await expect(part.getByRole('alert')).toContainText(told);
    await page.unroute(failing);
    for (const [part, , there] of parts) {
      // Socials and wallets are one question.
      const retry = part.getByRole('button', { name: 'Retry' });
      // The live connection, once it stands, has the projects read again too.
      await expect(async () => {
        if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
        await expect(part).toContainText(there, { timeout: 3_000 });
      }).toPass();
    }
  });

  test('says that the profile could not be read, and an account kept elsewhere that its ways in are unknown here', async ({
    page,
    request,
  }) => {
    await signIn(page, await registerWithProfile(request, 'Ada'));
    await page.route('**/api/v1/auth/identifiers', (route) => route.fulfill({ status: 404 }));
    await page.route('**/api/v1/auth/user', (route) => route.fulfill(unavailable));
    const profile = new ProfilePage(page);
    await profile.goto();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to load your profile' })).toBeVisible();
    await expect(profile.socials).toContainText('No sign-in methods to show');
    await page.unroute('**/api/v1/auth/user');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(profile.banner.getByRole('heading', { level: 2 })).toHaveText('Ada');
  });
});

test.describe('a wallet', () => {
  test.beforeEach(async ({ page, request }) => {
    await signIn(page, await registerWithProfile(request));
    await answerUser(page, { ethAddress: address });
  });

  test('is shown short, whole on demand, and copied whole, which it says for 1.5 seconds', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    const profile = new ProfilePage(page);
    await profile.goto();
    const shown = profile.wallet.locator('code');
    await expect(shown).toHaveText(short);
    await profile.toggle.click();
    await expect(shown).toHaveText(address);
    await expect(profile.toggle).toHaveText('Hide');
    await profile.toggle.click();
    await expect(shown).toHaveText(short);
    await expect(profile.toggle).toHaveText('View');

    await page.clock.pauseAt(Date.now() + 60_000);
    await profile.copy.click();
    await expect(profile.copy).toHaveText('Copied!');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await page.clock.runFor(1_400);
    await expect(profile.copy).toHaveText('Copied!');
    await page.clock.runFor(200);
    await expect(profile.copy).toHaveText('Copy');
  });

  test('an address is edited in place: refused where it is none, proven elsewhere, never stored', async ({
    page,
    machine,
  }) => {
    const sent: string[] = [];
    page.on('request', (call) => call.method() !== 'GET' && sent.push(`${call.method()} ${call.url()}`));
    const profile = new ProfilePage(page);
    await profile.goto();
    await machine('walletEdit').is('viewing');
    await profile.edit.click();
    await expect(profile.address).toBeFocused();
    await expect(profile.address).toHaveValue(address);
    await profile.confirm.click();
    await profile.expectWallet('viewing');
    await expect(profile.edit).toBeFocused();

    for (const refused of ['', '0x12', other.replace('5aAe', '5AAe'), '🦊', 'x'.repeat(5_000)]) {
      await profile.edit.click();
      await profile.address.fill(refused);
      await profile.confirm.click();
      await expect(profile.wallet.getByText('Address is invalid.', { exact: true })).toBeVisible();
      await expect(profile.address).toHaveAttribute('aria-invalid', 'true');
      await profile.expectWallet('editing');
      await profile.cancel.click();
      await profile.expectWallet('viewing');
    }
    await expect(profile.wallet.locator('code')).toHaveText(short);

    await profile.edit.click();
    await profile.address.fill('0x12');
    await profile.confirm.click();
    await profile.address.fill(` ${other} `);
    await expect(profile.wallet.getByText('Address is invalid.')).toHaveCount(0);
    await profile.confirm.click();
    await expect(page).toHaveURL('/login?from=profile');
    await expect(page.getByRole('note')).toContainText('Connect 0x5aAeb...Ef1BeAed');
    expect((await machine('walletEdit').history()).at(-1)?.to).toBe('leaving');
    expect(sent.filter((call) => call.includes('/user/profile'))).toEqual([]);
    await page.getByRole('link', { name: 'Back to your profile' }).click();
    await expect(profile.tile('Wallet')).toHaveText(short);
  });

  test('is edited by the keyboard alone', async ({ page }) => {
    const profile = new ProfilePage(page);
    await profile.goto();
    await tabTo(page, profile.edit);
    await page.keyboard.press('Enter');
    await expect(profile.address).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(profile.edit).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('0xnothing');
    await page.keyboard.press('Enter');
    await expect(profile.wallet.getByText('Address is invalid.')).toBeVisible();
    await expect(profile.address).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(other);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/login?from=profile');
  });

  test('is connected and disconnected where it can be proven', async ({ page }) => {
    const profile = new ProfilePage(page);
    await profile.goto();
    await expect(profile.connectWallet).toHaveAttribute('href', '/login?from=profile');
    await expect(profile.disconnect).toHaveAttribute('href', '/login?from=profile');
    await profile.disconnect.click();
    await expect(page.getByRole('heading', { name: 'Your sign-in methods', level: 1 })).toBeVisible();
  });
});

test('what is linked from here shows here, and what is taken away there is gone here', async ({
  page,
  request,
}) => {
  const account = await register(request);
  await signIn(page, account);
  const wallet = await installWallet(page);
  const profile = new ProfilePage(page);
  await profile.goto();
  await expect(profile.social('Google')).toContainText('Not connected');
  await expect(profile.social('Google').getByRole('link', { name: 'Connect Google' })).toHaveAttribute(
    'href',
    '/login?from=profile',
  );
  await expect(profile.social('Apple')).toContainText('Not connected');
  await expect(profile.social('Email')).toContainText(account.email);
  await expect(profile.social('Email')).toContainText('Your only sign-in method');

  const methods = new MethodsPage(page);
  await profile.social('Google').getByRole('link', { name: 'Connect Google' }).click();
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Portal' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to your profile' }).click();

  await profile.connectWallet.click();
  await methods.addWallet('Test Wallet');
  await new LoginPage(page).expectSuccess();
  await expect(page).toHaveURL('/profile');
  await expect(profile.wallet.locator('code')).toHaveText(
    `${wallet.address.slice(0, 7)}...${wallet.address.slice(-8)}`,
  );
  await profile.toggle.click();
  await expect(profile.wallet.locator('code')).toHaveText(wallet.address);

  await profile.disconnect.click();
  await methods.dialog.getByRole('button', { name: 'Remove Wallet' }).click();
  await expect(methods.dialog).toBeHidden();
  await expect(methods.rows).toHaveCount(1);
  await page.getByRole('link', { name: 'Back to your profile' }).click();
  await expect(profile.wallets).toContainText('No wallet connected');
});

test('somebody signed out in another tab is led away, and back signed in sees the profile', async ({
  page,
  request,
}) => {
  const account = await registerWithProfile(request, 'Ada');
  await signIn(page, account);
  const profile = new ProfilePage(page);
  await profile.goto();
  const tab = await page.context().newPage();
  await tab.goto('/');
  await tab.getByRole('button', { name: /^Account menu/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await tab.close();
  await new LoginPage(page).login(account.email, password);
  await expect(page).toHaveURL('/');
  await profile.goto();
  await expect(profile.banner.getByRole('heading', { level: 2 })).toHaveText('Ada');
});

test('axe finds nothing in view and in edit, light and dark, and 320 px are wide enough for long words', async ({
  page,
  request,
}) => {
  const account = await registerWithProfile(request, 'W'.repeat(80));
  for (const projectName of ['P'.repeat(100), '🍊'.repeat(40)])
    await createProject(request, account, { projectName, whitelistURL: ['https://app.example.org'] });
  await signIn(page, account);
  await answerUser(page, {
    userName: 'u'.repeat(40),
    bio: 'b'.repeat(1000),
    country: 'Democratic Republic of the Congo',
    ethAddress: address,
    waxAddress: 'orange.wam',
  });
  const profile = new ProfilePage(page);
  await profile.goto();
  await expect(profile.wallets.getByRole('listitem')).toHaveCount(2);
  for (const isEditing of [false, true]) {
    if (isEditing) {
      await profile.edit.click();
      await profile.address.fill('0x12');
      await profile.confirm.click();
    } else await profile.toggle.click();
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await isTooWide(page)).toBe(false);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      }
    }
  }
});
