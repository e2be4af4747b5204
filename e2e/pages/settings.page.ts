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

/** `/settings`: Display Name and Email. */
export class SettingsPage {
  readonly heading: Locator;
  readonly displayName: ProfileField;
  readonly email: ProfileField;
  readonly backToProject: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Settings', level: 1 });
    this.displayName = new ProfileField(page, 'Display Name');
    this.email = new ProfileField(page, 'Email');
    this.backToProject = page.getByRole('link', { name: 'Back to your project' });
  }

  async goto(): Promise<void> {
    await this.page.goto('/settings');
  }
}
