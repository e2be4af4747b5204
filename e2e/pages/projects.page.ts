import { expect, type Locator, type Page } from '@playwright/test';

/** `/projects`: the list and the selected project. */
export class ProjectsPage {
  readonly heading: Locator;
  readonly list: Locator;
  readonly detail: Locator;
  readonly keyText: Locator;
  readonly revealKey: Locator;
  readonly dialog: Locator;
  readonly dialogTitle: Locator;
  readonly updateKey: Locator;
  readonly addUrls: Locator;
  readonly deleteProject: Locator;
  readonly urls: Locator;
  readonly urlInput: Locator;
  readonly addUrl: Locator;
  readonly pending: Locator;
  readonly save: Locator;
  readonly cancel: Locator;
  readonly calls: Locator;
  readonly blocked: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'My Projects', level: 1 });
    this.list = page.getByRole('navigation', { name: 'Projects', exact: true });
    this.detail = page.getByRole('region', { name: /^Project / });
    this.keyText = this.detail.getByRole('code').first();
    this.revealKey = this.detail.getByRole('button', { name: /^(Reveal|Hide) API key$/ });
    this.dialog = page.getByRole('dialog');
    this.dialogTitle = this.dialog.locator('.ant-modal-title');
    this.updateKey = this.detail.getByRole('button', { name: 'Update API key' });
    this.addUrls = this.detail.getByRole('button', { name: 'Add URLs' });
    this.deleteProject = page.getByRole('button', { name: 'Delete project' });
    this.urls = this.detail.getByRole('listitem');
    this.urlInput = this.dialog.getByRole('textbox', { name: 'Allowed URL' });
    this.addUrl = this.dialog.getByRole('button', { name: 'Add URL' });
    this.pending = this.dialog.getByRole('list', { name: 'Pending URLs' }).getByRole('listitem');
    this.save = this.dialog.getByRole('button', { name: /^(Save Changes|Saving\.\.\.)$/ });
    this.cancel = this.dialog.getByRole('button', { name: 'Cancel' });
    this.calls = page.getByRole('region', { name: 'API calls' });
    this.blocked = page.getByRole('region', { name: 'Blocked origins' });
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
    await expect(this.title(name)).toBeVisible();
  }

  /** Reveals and reads the key of the selected project. */
  async readKey(): Promise<string> {
    if ((await this.revealKey.getAttribute('aria-pressed')) === 'false') await this.revealKey.click();
    await expect(this.revealKey).toHaveAttribute('aria-pressed', 'true');
    return (await this.keyText.textContent()) ?? '';
  }

  /** A button of the dialog, by its name. */
  button(name: string | RegExp): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  /** The selected project's heading. */
  title(name: string): Locator {
    return this.detail.getByRole('heading', { name, exact: true });
  }

  /** The button that allows a blocked origin. */
  allow(origin: string): Locator {
    return this.blocked.getByRole('button', { name: `Allow ${origin}` });
  }

  /** The icon that removes a URL. */
  removeUrl(url: string): Locator {
    return this.detail.getByRole('button', { name: `Remove ${url}` });
  }

  /** Types a URL into the open dialog and adds it to the pending ones. */
  async addPending(url: string): Promise<void> {
    await this.urlInput.fill(url);
    await this.addUrl.click();
  }

  /** A figure of the project's calls, by its label. */
  figure(label: string): Locator {
    return this.calls
      .locator('.figure_root')
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .locator('.figure_value');
  }

  /** The visible toast. */
  toast(text: string): Locator {
    return this.page.locator('.toast_root').getByText(text);
  }
}
