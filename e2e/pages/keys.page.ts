import { expect, type Locator, type Page } from '@playwright/test';

/** `/keys`: the saved keys. */
export class KeysPage {
  readonly heading: Locator;
  readonly listHeading: Locator;
  readonly name: Locator;
  readonly create: Locator;
  /** Why the last key was not created. */
  readonly failure: Locator;
  readonly rows: Locator;
  readonly dialog: Locator;
  readonly confirm: Locator;
  readonly cancel: Locator;
  readonly close: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'API Keys', level: 1, exact: true });
    this.listHeading = page.getByRole('heading', { name: 'Your API keys', level: 2 });
    this.name = page.getByRole('textbox', { name: 'Name' });
    this.create = page.getByRole('button', { name: /^(Create API key|Creating\.\.\.)$/ });
    this.failure = page.getByRole('main').getByRole('alert');
    this.rows = page.getByRole('list', { name: 'Your API keys' }).getByRole('listitem');
    this.dialog = page.getByRole('dialog', { name: 'Delete API key' });
    this.confirm = this.dialog.getByRole('button', { name: /^(Delete|Deleting\.\.\.)$/ });
    this.cancel = this.dialog.getByRole('button', { name: 'Cancel' });
    this.close = this.dialog.getByRole('button', { name: 'Close' });
  }

  async goto(): Promise<void> {
    await this.page.goto('/keys');
    await expect(this.heading).toBeVisible();
  }

  /** Requests a key with this name. */
  async ask(name: string): Promise<void> {
    await this.name.fill(name);
    await this.create.click();
  }

  row(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  /** The key itself, as shown in the row. */
  keyText(name: string): Locator {
    return this.row(name).getByRole('code').first();
  }

  deleteButton(name: string): Locator {
    return this.page.getByRole('button', { name: `Delete ${name}`, exact: true });
  }

  /** A button in the row of a key. */
  action(act: 'Edit' | 'Rotate', name: string): Locator {
    return this.page.getByRole('button', { name: `${act} ${name}`, exact: true });
  }

  /** A field of a dialog. */
  field(dialog: string, label: string): Locator {
    return this.page.getByRole('dialog', { name: dialog }).getByLabel(label);
  }

  /** The visible toast. */
  toast(text: string): Locator {
    return this.page.locator('.toast_root').getByText(text, { exact: true });
  }
}
