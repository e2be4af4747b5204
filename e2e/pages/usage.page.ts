import { expect, type Locator, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

/** `/usage`: totals, calls over time, breakdowns and live calls. */
export class UsagePage {
  readonly heading: Locator;
  readonly ranges: Locator;
  readonly from: Locator;
  readonly to: Locator;
  readonly filters: Locator;
  readonly project: Locator;
  readonly endpoint: Locator;
  readonly key: Locator;
  readonly method: Locator;
  readonly status: Locator;
  readonly origin: Locator;
  readonly export: Locator;
  readonly notice: Locator;
  readonly clearFilters: Locator;
  readonly totals: Locator;
  readonly chart: Locator;
  readonly byStatus: Locator;
  readonly byKey: Locator;
  readonly plot: Locator;
  readonly now: Locator;
  readonly calls: Locator;
  readonly connection: Locator;
  readonly paused: Locator;
  readonly pause: Locator;
  readonly resume: Locator;
  readonly rows: Locator;
  readonly detail: Locator;
  readonly curlText: Locator;
  readonly createProject: Locator;
  readonly retry: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Usage', level: 1 });
    this.ranges = page.getByRole('radiogroup', { name: 'Time range' });
    this.from = page.getByLabel('From', { exact: true });
    this.to = page.getByLabel('To', { exact: true });
    this.filters = page.getByRole('button', { name: /^Filters/ });
    this.project = page.getByRole('combobox', { name: 'Project' });
    this.endpoint = page.getByRole('combobox', { name: 'Endpoint' });
    this.key = page.getByRole('combobox', { name: 'Key' });
    this.method = page.getByRole('combobox', { name: 'Method' });
    this.origin = page.getByRole('combobox', { name: 'Origin' });
    this.export = page.getByRole('button', { name: 'Export' });
    this.notice = page.getByRole('main').getByRole('alert');
    this.status = page.getByRole('combobox', { name: 'Status' });
    this.clearFilters = page.getByRole('button', { name: 'Clear filters' });
    this.totals = page.getByLabel('Totals');
    this.chart = page.getByRole('table', { name: 'Calls over time' });
    this.byStatus = page.getByRole('region', { name: 'By status' });
    this.byKey = page.getByRole('region', { name: 'By key' });
    this.plot = page.getByRole('slider', { name: 'Calls over time' });
    this.calls = page.getByRole('region', { name: 'Calls', exact: true });
    this.now = page.getByRole('region', { name: 'Live calls' });
    this.connection = page.locator('[data-machine="realtime"]');
    this.paused = this.connection.filter({ hasText: /^Paused/ });
    this.pause = this.now.getByRole('button', { name: 'Pause' });
    this.resume = this.now.getByRole('button', { name: 'Resume' });
    this.rows = this.calls.getByRole('row').filter({ has: page.getByRole('cell') });
    this.detail = page.getByRole('dialog');
    this.curlText = page.getByLabel('curl command', { exact: true });
    this.createProject = page.getByRole('link', { name: 'Create a project' });
    this.retry = page.getByRole('button', { name: 'Retry' });
  }

  async goto(query: Record<string, string> = {}): Promise<void> {
    const search = new URLSearchParams(query).toString();
    await this.page.goto(search === '' ? '/usage' : `/usage?${search}`);
    await expect(this.heading).toBeVisible();
  }

  async expectLive(): Promise<void> {
    await expect(this.connection).toHaveText('Live');
  }

  async chooseRange(range: '1h' | '24h' | '7d' | '30d'): Promise<void> {
    await this.ranges.getByText(range, { exact: true }).click();
  }

  /** A figure of the totals, by its label: `Calls`, `Errors`, `Blocked`, `Response p50` … */
  figure(label: string): Locator {
    return this.totals
      .locator('div')
      .filter({ has: this.page.getByRole('term').getByText(label, { exact: true }) })
      .getByRole('definition')
      .locator('span')
      .first();
  }

  /** The change of a figure since the previous period. */
  change(label: string): Locator {
    return this.totals
      .locator('div')
      .filter({ has: this.page.getByRole('term').getByText(label, { exact: true }) })
      .locator('.figure_change');
  }

  /** Chooses an option of one filter. */
  async choose(filter: Locator, option: string): Promise<void> {
    await filter.click();
    await this.page.getByTitle(option, { exact: true }).last().click();
  }

  /** A field of the open call, by its label. */
  field(label: string): Locator {
    return this.detail
      .locator('dl > div')
      .filter({ has: this.page.getByRole('term').getByText(label, { exact: true }) })
      .getByRole('definition');
  }

  /** Exports the view; returns the file's name, text and URL. */
  download = (format: 'CSV' | 'NDJSON') =>
    this.received(async () => {
      await this.export.click();
      await this.page.getByRole('menuitem', { name: new RegExp(`^${format} `) }).click();
    });

  /** The name, text and URL of the file that `start` makes the page download. */
  async received(start: () => Promise<void>): Promise<{ name: string; text: string; url: string }> {
    const started = this.page.waitForEvent('download');
    await start();
    const file = await started;
    const path = await file.path();
    return { name: file.suggestedFilename(), text: await readFile(path, 'utf8'), url: file.url() };
  }

  /** The number of calls in the chart, summed over its buckets. */
  async chartTotal(): Promise<number> {
    const cells = await this.chart.locator('tbody tr td:nth-of-type(1)').allTextContents();
    return cells.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
  }

  /** A bar of a breakdown; clicking it filters. */
  bar(breakdown: Locator, name: string | RegExp): Locator {
    return breakdown.getByRole('button', { name });
  }
}
