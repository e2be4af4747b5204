import { expect, type Locator, type Page } from '@playwright/test';

export const stepTitles = ['Sign in', 'Create a project', 'Make your first call'];

/** `/` and `/dashboard` of a signed-in user. */
export class DashboardPage {
  readonly welcome: Locator;
  readonly profile: Locator;
  readonly picture: Locator;
  readonly rank: Locator;
  readonly points: Locator;
  readonly earning: Locator;
  readonly calls: Locator;
  readonly connection: Locator;
  readonly lastCall: Locator;
  readonly bars: Locator;
  readonly started: Locator;
  readonly steps: Locator;

  constructor(readonly page: Page) {
    this.welcome = page.getByRole('region', { name: 'Welcome to Orange ID' });
    this.profile = page.getByRole('region', { name: 'Profile' });
    this.picture = this.profile.locator('img');
    this.rank = page.getByRole('region', { name: 'Rank' });
    this.points = this.rank.locator('.rank-card_points');
    this.earning = this.rank.getByText('How to earn XP');
    this.calls = page.getByRole('region', { name: 'API calls' });
    this.connection = this.calls.locator('[data-machine="realtime"]');
    this.lastCall = this.calls.getByRole('link', { name: /ago|now/ });
    this.bars = this.calls.getByRole('img', { name: /^Last 24 hours/ });
    this.started = page.getByRole('region', { name: 'Getting started' });
    this.steps = this.started.getByRole('listitem');
  }

  async goto(path: '/' | '/dashboard' = '/'): Promise<void> {
    await this.page.goto(path);
    await expect(this.welcome).toBeVisible();
  }

  async expectLive(): Promise<void> {
    await expect(this.connection).toHaveText('Live');
  }

  /** The value of a figure, by its label. */
  figure(label: string): Locator {
    return this.calls
      .locator('.figure_root')
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .locator('.figure_value');
  }

  /** The note below a figure. */
  note(label: string): Locator {
    return this.calls
      .locator('.figure_root')
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .locator('.figure_note');
  }

  retry(of: Locator): Locator {
    return of.getByRole('button', { name: 'Retry' });
  }
}
