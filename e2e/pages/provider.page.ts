import { expect, type Locator, type Page } from '@playwright/test';

export type ProviderTitle = 'Google' | 'Apple';

/** The sign-in page of the built-in OpenID provider. */
export class ProviderPage {
  readonly heading: Locator;
  readonly email: Locator;
  readonly name: Locator;
  readonly continue: Locator;
  readonly cancel: Locator;

  constructor(
    readonly page: Page,
    readonly title: ProviderTitle,
  ) {
    this.heading = page.getByRole('heading', { name: `Built-in ${title}`, level: 1 });
    this.email = page.getByLabel('Email', { exact: true });
    this.name = page.getByLabel('Name');
    this.continue = page.getByRole('button', { name: 'Continue', exact: true });
    this.cancel = page.getByRole('button', { name: 'Cancel' });
  }

  /** Enters the user's email and name, and returns to the portal. */
  async signIn(email: string, name = ''): Promise<void> {
    await expect(this.heading).toBeVisible();
    await this.email.fill(email);
    await this.name.fill(name);
    await this.continue.click();
  }
}
