import { expect, type Locator, type Page } from '@playwright/test';

/** `/projects`: the list and the selected project. */
export class ProjectsPage {
  readonly heading: Locator;
  readonly list: Locator;
  readonly detail: Locator;
  readonly keyText: Locator;
  readonly revealKey: Locator;
  readonly copyKey: Locator;
  readonly retry: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'My Projects', level: 1 });
    this.list = page.getByRole('navigation', { name: 'Projects', exact: true });
    this.detail = page.getByRole('region', { name: /^Project / });
    this.keyText = this.detail.getByRole('code').first();
    this.revealKey = this.detail.getByRole('button', { name: /^(Reveal|Hide) API key$/ });
    this.copyKey = this.detail.getByRole('button', { name: /^(Copy API key|Copied!)$/ }).first();
    this.retry = page.getByRole('button', { name: 'Retry' });
  }

  async goto(projectName?: string): Promise<void> {
    const query = projectName === undefined ? '' : `?${new URLSearchParams({ project: projectName })}`;
    await this.page.goto(`/projects${query}`);
  }

  entry(name: string): Locator {
    return this.list.getByRole('link').filter({ hasText: name });
  }

  /** Selects a project in the list and waits for its panel. */
  async select(name: string): Promise<void> {
    await this.entry(name).click();
    await expect(this.detail.getByRole('heading', { name, exact: true })).toBeVisible();
  }

  /** Reveals the key of the selected project and reads it. */
  async readKey(): Promise<string> {
    if ((await this.revealKey.getAttribute('aria-pressed')) === 'false') await this.revealKey.click();
    await expect(this.revealKey).toHaveAttribute('aria-pressed', 'true');
    return (await this.keyText.textContent()) ?? '';
  }
}
