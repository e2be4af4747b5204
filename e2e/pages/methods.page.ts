import { expect, type Locator, type Page } from '@playwright/test';
import type { ProviderTitle } from './provider.page';

/** `/login?from=profile`: the account's sign-in methods, and the panel that adds another. */
export class MethodsPage {
  readonly heading: Locator;
  readonly list: Locator;
  readonly rows: Locator;
  readonly dialog: Locator;
  readonly connectWallet: Locator;
  readonly addEmail: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Your sign-in methods', level: 1 });
    this.list = page.getByRole('list', { name: 'Your sign-in methods' });
    this.rows = this.list.getByRole('listitem');
    this.dialog = page.getByRole('dialog');
    this.connectWallet = page.getByRole('button', { name: 'Connect Wallet' });
    this.addEmail = page.getByRole('button', { name: 'Connect email' });
  }

  async goto(): Promise<void> {
    await this.page.goto('/login?from=profile');
    await expect(this.list).toBeVisible();
    await expect(
      this.page.getByRole('heading', { name: 'Connect a sign-in method', exact: true }),
    ).toBeVisible();
    await expect(this.connectWallet).toBeVisible();
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }

  /** Goes through the confirmation page to the provider's own page. */
  async leaveFor(title: ProviderTitle): Promise<void> {
    await this.page.getByRole('button', { name: `Connect ${title}` }).click();
    await expect(this.page.getByRole('heading', { name: `Connect ${title} to your account?` })).toBeVisible();
    // The access token has been removed from the URL by now.
    await expect(this.page).toHaveURL(/\/api\/v1\/auth\/identifier\/(GOOGLE|APPLE)\?flow=[^&]+$/);
    await this.page.getByRole('button', { name: `Continue with ${title}` }).click();
  }

  async addWallet(name: string): Promise<void> {
    await this.connectWallet.click();
    await this.page.getByRole('button', { name }).click();
  }

  /** Removes the method of that row and confirms. */
  async remove(text: string): Promise<void> {
    await this.row(text)
      .getByRole('button', { name: /^Remove / })
      .click();
    await expect(this.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await this.dialog.getByRole('button', { name: /^Remove / }).click();
    await expect(this.dialog).toBeHidden();
    await expect(this.row(text)).toHaveCount(0);
  }
}
