import { expect } from '@playwright/test';
import { hiddenByForcedColors } from '../fixtures/forced.colors';
import { machineTest as test } from '../fixtures/machine';
import { enterAs, openSettled, pathsFor } from '../fixtures/walk';

test('in forced colours, light and dark, chosen items, legends and the live dot stay apart on every page', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'full account');
  for (const path of pathsFor('full account')) {
    await openSettled(page, path);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect.soft(await hiddenByForcedColors(page), `${path}, ${colorScheme}`).toEqual([]);
    }
  }
});
