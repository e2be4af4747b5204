import type { Locator, Page } from '@playwright/test';
import { zipSync } from 'fflate';
import shared from '../playwright.config';

const launch = shared.use?.launchOptions;

/** For specs whose games run from files. */
export const withPartitionedStorage = {
  launchOptions: {
    ...launch,
    // Playwright turns off partitioned storage, without which Chromium refuses service workers in frames of another
    // site. The last such switch wins, and leaves it on as for users.
    args: [...(launch?.args ?? []), '--disable-features=TrackingProtection3pcd'],
  },
};

export const playgroundPath = '/games-sdk-integration-guide/playground';

/** The game playground: a page of its own, and in the guide. */
export class PlaygroundPage {
  readonly state: Locator;
  /** What a visitor presses to keep the data of a game in its project. */
  readonly signIn: Locator;
  /** What a user presses to become a player of the project. */
  readonly play: Locator;

  constructor(readonly page: Page) {
    this.state = page.locator('[data-machine="gameHost"]');
    this.play = page.getByRole('button', { name: 'Play as yourself' });
    this.signIn = page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true });
  }

  get game() {
    return this.page.frameLocator('iframe[title=Game]');
  }

  check(title: string | RegExp): Locator {
    return this.page.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: title });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Runs a game of these files, as a zip. */
  async openFiles(files: Record<string, string>): Promise<void> {
    const entries = Object.entries(files).map(
      ([name, text]) => [name, new TextEncoder().encode(text)] as const,
    );
    await this.page.getByText('Your files', { exact: true }).click();
    await this.page.getByTestId('zip').setInputFiles({
      name: 'game.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(zipSync(Object.fromEntries(entries))),
    });
  }
}
