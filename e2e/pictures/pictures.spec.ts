import { test } from '@playwright/test';
import { join } from 'node:path';
import type { Account } from '../fixtures/account';
import { chooseAgainstSystem, enterAs, faces, openSettled, pathsFor, widths } from '../fixtures/walk';

const folder = join(import.meta.dirname, '..', '..', '.cache', 'pictures');
const known: { full?: Account } = {};

for (const face of faces) {
  for (const mode of ['light', 'dark'] as const) {
    for (const [width, viewport] of Object.entries(widths)) {
      test(`${face}, ${mode} chosen against the system, ${width} px`, async ({
        browser,
        request,
        baseURL,
      }) => {
        test.setTimeout(300_000);
        const context = await browser.newContext({ viewport, reducedMotion: 'reduce', baseURL });
        const page = await context.newPage();
        await enterAs(page, request, face, known);
        for (const path of pathsFor(face)) {
          await openSettled(page, path);
          await chooseAgainstSystem(page, mode);
          const name = `${path.slice(1).replaceAll('/', '-') || 'home'}.${face.replace(' ', '-')}.${mode}.${width}.png`;
          await page.screenshot({ path: join(folder, name), fullPage: true });
        }
        await context.close();
      });
    }
  }
}
