import { test, type Page } from '@playwright/test';
import { join } from 'node:path';
import type { Account } from '../fixtures/account';
import {
  chooseAgainstSystem,
  enterAs,
  faces,
  loadPictures,
  openSettled,
  pathsFor,
  widths,
} from '../fixtures/walk';
import { UsagePage } from '../pages/usage.page';
import { WizardPage } from '../pages/wizard.page';

const folder = join(import.meta.dirname, '..', '..', '.cache', 'pictures');
const known: { full?: Account } = {};

test.setTimeout(300_000);

for (const mode of ['light', 'dark'] as const) {
  for (const [width, viewport] of Object.entries(widths)) {
    test.describe(`${mode} chosen against the system’s mode, ${width} px`, () => {
      test.use({ viewport });

      const picture = (page: Page, name: string, fullPage = true) =>
        page.screenshot({ path: join(folder, `${name}.${mode}.${width}.png`), fullPage });

      for (const face of faces) {
        test(face, async ({ page, request }) => {
          await enterAs(page, request, face, known);
          for (const path of pathsFor(face)) {
            await openSettled(page, path);
            await chooseAgainstSystem(page, mode);
            await loadPictures(page);
            await picture(page, `${path.slice(1).replaceAll('/', '-') || 'home'}.${face.replace(' ', '-')}`);
          }
        });
      }

      test('menus, dialogs and later views', async ({ page, request }) => {
        await enterAs(page, request, 'full account', known);

        await openSettled(page, '/usage');
        await chooseAgainstSystem(page, mode);
        const usage = new UsagePage(page);
        if (width === '360') {
          await usage.filters.click();
          await usage.project.waitFor();
          await picture(page, 'usage-filters');
        }
        await usage.rows.first().getByRole('link').click();
        await usage.detail.waitFor();
        await picture(page, 'usage-call', false);

        await openSettled(page, '/settings');
        await page.getByRole('button', { name: 'Sign out everywhere' }).click();
        await page.getByRole('dialog').waitFor();
        await picture(page, 'settings-dialog', false);

        await openSettled(page, '/projects');
        await page
          .getByRole('button', { name: width === '360' ? 'Open menu' : 'Integration', exact: true })
          .click();
        await page.getByRole(width === '360' ? 'dialog' : 'menu').waitFor();
        await picture(page, 'menu', false);

        const wizard = new WizardPage(page);
        await openSettled(page, '/orange-id');
        await wizard.submitName(`Acme Arcade ${mode} ${width}`);
        await wizard.expectState('addingUrls');
        await wizard.addUrl('https://arcade.example.org');
        await picture(page, 'orange-id-urls');
        await wizard.createProject.click();
        await wizard.expectState('summarised');
        await picture(page, 'orange-id-summary');
      });
    });
  }
}
