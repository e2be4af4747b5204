import { expect, type Locator, type Page } from '@playwright/test';

/** `/orange-id`: the three steps of creating a project. */
export class WizardPage {
  readonly root: Locator;
  readonly progress: Locator;
  readonly nameInput: Locator;
  readonly createNew: Locator;
  readonly urlInput: Locator;
  readonly addUrlButton: Locator;
  readonly whitelist: Locator;
  readonly back: Locator;
  readonly createProject: Locator;
  readonly displayName: Locator;
  readonly email: Locator;
  readonly viewSummary: Locator;
  readonly heading: Locator;
  readonly keyText: Locator;
  readonly revealKey: Locator;
  readonly copyKey: Locator;
  readonly curlText: Locator;
  readonly firstCall: Locator;
  readonly openUsage: Locator;

  constructor(readonly page: Page) {
    this.root = page.locator('[data-machine="wizard"]');
    this.progress = this.root.getByRole('progressbar', { name: 'Wizard progress' });
    this.nameInput = this.root.getByRole('textbox', { name: 'Project name' });
    this.createNew = this.root.getByRole('button', { name: 'Create New' });
    this.urlInput = this.root.getByRole('textbox', { name: 'Allowed URL' });
    this.addUrlButton = this.root.getByRole('button', { name: 'Add URL' });
    this.whitelist = this.root.getByRole('list', { name: 'Allowed URLs' });
    this.back = this.root.getByRole('button', { name: 'Back' });
    this.createProject = this.root.getByRole('button', { name: /^(Create Project|Creating Project\.\.\.)$/ });
    this.displayName = this.root.getByRole('textbox', { name: 'Display Name' });
    this.email = this.root.getByRole('textbox', { name: 'Email' });
    this.viewSummary = this.root.getByRole('button', { name: 'View summary' });
    this.heading = this.root.getByRole('heading', { level: 2 });
    const key = this.root.getByRole('region', { name: 'API key' });
    this.keyText = key.getByRole('code');
    this.revealKey = key.getByRole('button', { name: /^(Reveal|Hide) API key$/ });
    this.copyKey = key.getByRole('button', { name: /^(Copy API key|Copied!)$/ });
    this.curlText = this.root.getByLabel('curl command', { exact: true });
    this.firstCall = this.root.locator('[data-machine="firstCall"]');
    this.openUsage = this.firstCall.getByRole('link', { name: 'Open Usage' });
  }

  async goto(query = ''): Promise<void> {
    await this.page.goto(`/orange-id${query}`);
  }

  /** Expects the machine's state. */
  async expectState(state: 'naming' | 'addingUrls' | 'creating' | 'summarised' | 'reviewing'): Promise<void> {
    await expect(this.root).toHaveAttribute('data-state', state);
  }

  async submitName(name: string): Promise<void> {
    await this.nameInput.fill(name);
    await this.createNew.click();
  }

  async addUrl(url: string): Promise<void> {
    await this.urlInput.fill(url);
    await this.addUrlButton.click();
  }

  /** Goes from the first step to the summary; the profile must be complete. */
  async create(name: string, urls: readonly string[]): Promise<void> {
    await this.submitName(name);
    await this.expectState('addingUrls');
    for (const url of urls) await this.addUrl(url);
    await this.createProject.click();
    await this.expectState('summarised');
  }

  /** Reveals and reads the key. */
  async readKey(): Promise<string> {
    if ((await this.revealKey.getAttribute('aria-pressed')) === 'false') await this.revealKey.click();
    await expect(this.revealKey).toHaveAttribute('aria-pressed', 'true');
    return (await this.keyText.textContent()) ?? '';
  }

  /** The `curl` command as pasted, with its key revealed. */
  async readCurl(): Promise<string> {
    await this.readKey();
    return (await this.curlText.textContent()) ?? '';
  }
}
