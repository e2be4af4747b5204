import { meteredPaths, type MeteredRouteId } from '@orange-id/contract/metered.paths';
import { expect, type Locator, type Page } from '@playwright/test';

/** The API explorer on `/docs`. */
export class ExplorerPage {
  readonly root: Locator;
  readonly endpoint: Locator;
  /** The saved keys of a signed-in user who has any. */
  readonly keyChoice: Locator;
  /** The key of a visitor, or of a user without saved keys. */
  readonly typedKey: Locator;
  readonly anotherKey: Locator;
  readonly body: Locator;
  readonly test: Locator;
  readonly cancel: Locator;
  readonly configure: Locator;
  readonly examples: Locator;
  readonly response: Locator;
  readonly responseBody: Locator;
  readonly recorded: Locator;

  constructor(readonly page: Page) {
    this.root = page.locator('[data-machine="explorer"]');
    this.endpoint = this.root.getByRole('combobox', { name: 'Endpoint' });
    this.keyChoice = this.root.getByRole('combobox', { name: 'API key' });
    this.typedKey = this.root.getByRole('textbox', { name: 'API key' }).or(this.root.getByLabel('API key'));
    this.anotherKey = this.root.getByLabel('Another API key');
    this.body = this.root.getByRole('textbox', { name: 'Body (JSON)' });
    this.test = this.root.getByRole('button', { name: 'Test API' });
    this.cancel = this.root.getByRole('button', { name: 'Cancel' });
    this.configure = this.root.getByRole('tab', { name: 'Configure' });
    this.examples = this.root.getByRole('tab', { name: 'Code Examples' });
    this.response = this.root.getByRole('region', { name: 'Response', exact: true });
    this.responseBody = this.response.getByRole('group', { name: 'response body' });
    this.recorded = this.response.getByRole('link', { name: 'View this call in Usage' });
  }

  async goto(endpoint: MeteredRouteId = 'walletBalance'): Promise<void> {
    await this.page.goto(`/docs?endpoint=${endpoint}#explorer`);
    await expect(this.endpoint).toBeVisible();
  }

  /** Chooses the option of a list that contains this text. */
  async choose(list: Locator, option: string): Promise<void> {
    await list.click();
    await this.page.locator('.ant-select-item-option').filter({ hasText: option }).click();
  }

  async chooseEndpoint(id: MeteredRouteId): Promise<void> {
    const { title, method, path } = meteredPaths[id];
    await this.choose(this.endpoint, title);
    await expect(this.root.locator('.explorer_about code')).toHaveText(`${method} ${path}`);
  }

  parameter(name: string): Locator {
    return this.root.getByRole('textbox', { name: new RegExp(`^${name} \\(`) });
  }

  /** Sends the call and waits for the response with this status. */
  async send(status: string): Promise<void> {
    await this.test.click();
    await expect(this.response.locator('.status-tag_root')).toHaveText(status);
  }

  /** The response as JSON. */
  async answer(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.responseBody.textContent()) ?? '') as Record<string, unknown>;
  }

  /** The visible toast. */
  toast(text: string): Locator {
    return this.page.locator('.toast_root').getByText(text, { exact: true });
  }
}
