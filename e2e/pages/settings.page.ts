import { expect, type Locator, type Page } from '@playwright/test';

/** One field of the profile, with its view and its edit state. */
export class ProfileField {
  readonly root: Locator;
  readonly edit: Locator;
  readonly input: Locator;
  readonly save: Locator;
  readonly cancel: Locator;

  constructor(page: Page, label: 'Display Name' | 'Email') {
    const field = label === 'Email' ? 'email' : 'displayName';
    this.root = page.locator(`[data-machine="profileField"][data-field="${field}"]`);
    this.edit = this.root.getByRole('button', { name: `Edit ${label}` });
    this.input = this.root.getByRole('textbox', { name: label });
    this.save = this.root.getByRole('button', { name: /^(Save|Saving\.\.\.)$/ });
    this.cancel = this.root.getByRole('button', { name: 'Cancel' });
  }

  async expectState(state: 'viewing' | 'editing' | 'saving'): Promise<void> {
    await expect(this.root).toHaveAttribute('data-state', state);
  }

  /** Edits and saves; resolves once the new value stands in the view. */
  async change(value: string): Promise<void> {
    await this.edit.click();
    await this.input.fill(value);
    await this.save.click();
    await this.expectState('viewing');
    await expect(this.root).toContainText(value);
  }
}

/** `/settings`: Display Name and Email, and below them how and where the account is signed in. */
export class SettingsPage {
  readonly heading: Locator;
  readonly displayName: ProfileField;
  readonly email: ProfileField;
  readonly backToProject: Locator;
  readonly manageMethods: Locator;
  readonly confirmation: Locator;
  readonly changePassword: Locator;
  readonly currentPassword: Locator;
  readonly newPassword: Locator;
  readonly repeatPassword: Locator;
  readonly sessions: Locator;
  readonly signOutEverywhere: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Settings', level: 1 });
    this.displayName = new ProfileField(page, 'Display Name');
    this.email = new ProfileField(page, 'Email');
    this.backToProject = page.getByRole('link', { name: 'Back to your project' });
    this.manageMethods = page.getByRole('link', { name: 'Manage sign-in methods' });
    this.confirmation = page.getByRole('note').filter({ hasText: 'Confirm your email' });
    this.changePassword = page.getByRole('button', { name: 'Change password' });
    this.currentPassword = page.getByLabel('Current password');
    this.newPassword = page.getByLabel('New password', { exact: true });
    this.repeatPassword = page.getByLabel('Repeat new password');
    this.sessions = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
    this.signOutEverywhere = page.getByRole('button', { name: 'Sign out everywhere' });
  }

  async goto(): Promise<void> {
    await this.page.goto('/settings');
  }
}
