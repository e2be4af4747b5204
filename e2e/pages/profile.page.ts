import { expect, type Locator, type Page } from '@playwright/test';

/** `/profile`: the user, their rank and projects, and their linked accounts. */
export class ProfilePage {
  readonly heading: Locator;
  readonly banner: Locator;
  readonly rank: Locator;
  readonly projects: Locator;
  readonly socials: Locator;
  readonly wallets: Locator;
  readonly connectWallet: Locator;
  readonly wallet: Locator;
  readonly toggle: Locator;
  readonly copy: Locator;
  readonly edit: Locator;
  readonly disconnect: Locator;
  readonly address: Locator;
  readonly confirm: Locator;
  readonly cancel: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'My Profile', level: 1 });
    this.banner = page.getByRole('region', { name: 'My Profile' });
    this.rank = page.getByRole('region', { name: 'Rank' });
    this.projects = page.getByRole('region', { name: 'Projects', exact: true });
    this.socials = page.getByRole('region', { name: 'Socials' });
    this.wallets = page.getByRole('region', { name: 'Wallets' });
    this.connectWallet = this.wallets.getByRole('link', { name: 'Connect Wallet', exact: true });
    this.wallet = this.wallets.locator('[data-machine="walletEdit"]').first();
    this.toggle = this.wallet.getByRole('button', { name: /^(View|Hide) full wallet address/ });
    this.copy = this.wallet.getByRole('button', { name: /^(Copy wallet address|Copied!)/ });
    this.edit = this.wallet.getByRole('button', { name: /^Edit wallet/ });
    this.disconnect = this.wallet.getByRole('link', { name: /^Disconnect wallet/ });
    this.address = this.wallet.getByRole('textbox', { name: 'Wallet address' });
    this.confirm = this.wallet.getByRole('button', { name: 'Confirm' });
    this.cancel = this.wallet.getByRole('button', { name: 'Cancel' });
  }

  async goto(): Promise<void> {
    await this.page.goto('/profile');
    await expect(this.heading).toBeVisible();
  }

  /** The content of a contact tile. */
  tile(term: string): Locator {
    return this.page
      .locator('.profile_tile')
      .filter({ has: this.page.getByText(term, { exact: true }) })
      .locator('dd');
  }

  social(name: string): Locator {
    return this.socials.getByRole('listitem').filter({ hasText: name });
  }

  async expectWallet(state: 'viewing' | 'editing'): Promise<void> {
    await expect(this.wallet).toHaveAttribute('data-state', state);
  }
}
