import { expect, type Locator, type Page } from '@playwright/test';

/** `/usage`: totals, calls over time, breakdowns and the calls as they arrive. */
export class UsagePage {
  readonly heading: Locator;
  readonly ranges: Locator;
  readonly customRange: Locator;
  readonly project: Locator;
  readonly endpoint: Locator;
  readonly status: Locator;
  readonly clearFilters: Locator;
  readonly totals: Locator;
  readonly chart: Locator;
  readonly byEndpoint: Locator;
  readonly byStatus: Locator;
  readonly calls: Locator;
  readonly connection: Locator;
  readonly paused: Locator;
  readonly pause: Locator;
  readonly resume: Locator;
  readonly rows: Locator;
  readonly loadOlder: Locator;
  readonly curlText: Locator;
  readonly createProject: Locator;
  readonly retry: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Usage', level: 1 });
    this.ranges = page.getByRole('radiogroup', { name: 'Time range' });
    this.customRange = page.getByRole('button', { name: 'Custom' });
    this.project = page.getByRole('combobox', { name: 'Project' });
    this.endpoint = page.getByRole('combobox', { name: 'Endpoint' });
    this.status = page.getByRole('combobox', { name: 'Status' });
    this.clearFilters = page.getByRole('button', { name: 'Clear filters' });
    this.totals = page.getByLabel('Totals');
    this.chart = page.getByRole('table', { name: 'Calls over time' });
    this.byEndpoint = page.getByRole('region', { name: 'By endpoint' });
    this.byStatus = page.getByRole('region', { name: 'By status' });
    this.calls = page.getByRole('region', { name: 'Calls', exact: true });
    this.connection = page.locator('[data-machine="realtime"]');
    this.paused = this.calls.getByText(/^Paused/);
    this.pause = this.calls.getByRole('button', { name: 'Pause' });
    this.resume = this.calls.getByRole('button', { name: 'Resume' });
    this.rows = this.calls.getByRole('row').filter({ has: page.getByRole('cell') });
    this.loadOlder = this.calls.getByRole('button', { name: 'Load older' });
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

  /** A bar of a breakdown, which filters when pressed. */
  bar(breakdown: Locator, name: string | RegExp): Locator {
    return breakdown.getByRole('button', { name });
  }
}
