import { expect, type Locator, type Page } from '@playwright/test';
import { machineOf } from '../fixtures/machine';
import type { ProviderTitle } from './provider.page';

/** `/login`: the login widget served by the identity service. */
export class LoginPage {
  readonly title: Locator;
  readonly connectWallet: Locator;
  readonly withEmail: Locator;
  readonly email: Locator;
  readonly password: Locator;
  readonly confirmPassword: Locator;
  readonly forgotPassword: Locator;

  constructor(readonly page: Page) {
    this.title = page.getByText('Sign in to', { exact: false }).first();
    this.connectWallet = page.getByRole('button', { name: 'Connect Wallet' });
    this.withEmail = page.getByRole('button', { name: 'Continue with email' });
    this.email = page.getByRole('textbox', { name: 'Email' });
    this.password = page.getByLabel(/^Password/);
    this.confirmPassword = page.getByLabel('Confirm password');
    this.forgotPassword = page.getByRole('button', { name: 'Forgot password?' });
  }

  async goto(): Promise<void> {
    await this.page.goto('/login');
    await expect(this.connectWallet).toBeVisible();
  }

  /** Registers a new account and waits until the callback confirms it. */
  async register(email: string, password: string): Promise<void> {
    await this.withEmail.click();
    await this.page.getByRole('button', { name: /create an account|register/i }).click();
    await this.email.fill(email);
    await this.password.fill(password);
    await this.confirmPassword.fill(password);
    await this.page.getByRole('button', { name: /^(create account|register)$/i }).click();
    await this.expectSuccess();
  }

  async login(email: string, password: string): Promise<void> {
    await this.withEmail.click();
    await this.email.fill(email);
    await this.password.fill(password);
    await this.page.getByRole('button', { name: /^(sign in|log in)$/i }).click();
    await this.expectSuccess();
  }

  /** Goes to the provider's own page. */
  async leaveFor(title: ProviderTitle): Promise<void> {
    await this.page.getByRole('button', { name: `Continue with ${title}` }).click();
  }

  /** Connects the wallet with that name and signs. */
  async useWallet(name: string): Promise<void> {
    await this.connectWallet.click();
    await this.page.getByRole('button', { name: new RegExp(name) }).click();
    await this.expectSuccess();
  }

  /** Waits until the callback page has accepted the sign-in. */
  async expectSuccess(): Promise<void> {
    // The page shows this for one second; on a busy machine a locator may look too late.
    await machineOf(this.page)('callback').visits('succeeded');
  }
}
