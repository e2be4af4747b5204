import type { FrameLocator, Locator, Page } from '@playwright/test';

/** `/customisation`: the configurator in its frame. */
export class CustomisationPage {
  readonly frame: FrameLocator;
  readonly save: Locator;
  readonly state: Locator;
  readonly panel: Locator;

  constructor(private readonly page: Page) {
    this.frame = page.frameLocator('iframe[title="Widget configurator"]');
    this.save = this.frame.getByRole('button', { name: 'Save', exact: true });
    this.state = this.frame.locator('header').getByRole('status');
    this.panel = this.frame.locator('section[aria-label="Preview"]');
  }

  async goto(): Promise<void> {
    await this.page.goto('/customisation');
    await this.save.waitFor();
  }

  press(name: string): Promise<void> {
    return this.frame.getByRole('button', { name, exact: true }).click();
  }
}
