import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';
import { chooseAgainstSystem, enterAs, openSettled, pathsFor, widths } from '../fixtures/walk';
import { isTooWide } from '../fixtures/width';

const leading = '/auth/callback';

/** What axe finds. The callback's page leads on after 3 s: it is opened anew until it stood still meanwhile. */
async function violationsOf(page: Page, path: string) {
  for (;;) {
    if (path === leading) await openSettled(page, path);
    // What the frame of /api holds is Swagger UI's; api.reference.spec.ts looks at what is ours of it, the colours.
    const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
    if (path !== leading || new URL(page.url()).pathname === path) return violations;
  }
}

for (const face of ['signed out', 'full account'] as const) {
  test(`axe finds nothing, and nothing is wider than the screen: every page, ${face}, light and dark chosen against the system, wide and narrow`, async ({
    page,
    request,
  }) => {
    test.setTimeout(600_000);
    await enterAs(page, request, face);
    const found: unknown[] = [];
    for (const path of pathsFor(face)) {
      await openSettled(page, path);
      // 1280 px at 400 %.
      await page.setViewportSize({ width: 320, height: 640 });
      await expect.poll(() => isTooWide(page), { message: `${path} is wider than 320 px` }).toBe(false);
      for (const [width, viewport] of Object.entries(widths)) {
        await page.setViewportSize(viewport);
        await expect
          .poll(() => isTooWide(page), { message: `${path} is wider than ${width} px` })
          .toBe(false);
        for (const mode of ['light', 'dark'] as const) {
          await chooseAgainstSystem(page, mode);
          for (const { id, nodes } of await violationsOf(page, path)) {
            found.push([path, width, mode, id, nodes.map(({ html }) => html)]);
          }
        }
      }
    }
    expect(found).toEqual([]);
  });
}
