import { defaultAppearance } from '@orange-id/contract/appearance';
import { expect } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { startAppSite } from '../fixtures/app.site';
import { axeFindingsOfFrame } from '../fixtures/axe';
import { tabTo } from '../fixtures/keyboard';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { registerWithProject } from '../fixtures/project';
import { signIn } from '../fixtures/account';
import { startReactSite } from '../fixtures/react.site';
import { isTooWide } from '../fixtures/width';
import { CustomisationPage } from '../pages/customisation.page';

const logoBytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAKCAMAAADxROxiAAAAA1BMVEULY86ZIwXoAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADklEQVQYlWNgGAWDEwAAAZoAARbK02kAAAAASUVORK5CYII=',
  'base64',
);

test('a look that is saved in the configurator dresses the panels of other sites at their next load', async ({
  page,
  context,
  request,
  baseURL,
}, testInfo) => {
  const logo = testInfo.outputPath('logo.png');
  writeFileSync(logo, logoBytes);
  const { account, code } = await registerWithProject(request);
  const siteUrl = `http://localhost:${await freePort()}`;
  const tagUrl = `http://localhost:${await freePort()}`;
  const site = await startReactSite(
    `import { BedrockPassportProvider, LoginPanel } from '@bedrock_org/passport';
     export default function App() {
       return (
         <BedrockPassportProvider baseUrl="${baseURL}" authCallbackUrl="${siteUrl}/back" tenantId="${code}" subscriptionKey="${code}">
           <LoginPanel />
         </BedrockPassportProvider>
       );
     }`,
    { origin: siteUrl },
  );
  const tagSite = await startAppSite(
    `<!doctype html><html lang="en"><title>Acme</title><div data-orange-id="panel"></div>
     <script src="${baseURL}/widget/orange-id.js" data-project="${code}"></script></html>`,
    { origin: tagUrl },
  );
  const openPanels = async () => {
    // Not beside the editor: the frame of a tab in the background draws nothing, and a click waits for that.
    const [visitor, tagVisitor] = [await context.newPage(), await context.newPage()];
    await Promise.all([visitor.goto(siteUrl), tagVisitor.goto(tagUrl)]);
    const methods = visitor.locator('.oid-login').getByRole('button', { name: /Continue with|wallet/i });
    const tagMethods = tagVisitor.getByRole('button', { name: /Continue with|wallet/i });
    const close = () => Promise.all([visitor.close(), tagVisitor.close()]);
    return { visitor, tagVisitor, methods, tagMethods, close };
  };
  try {
    const before = await openPanels();
    await expect(before.methods).toHaveText([/Google/, /Apple/, /email/, 'Connect Wallet']);
    await expect(before.tagMethods).toHaveText([/Google/, /Apple/, /email/, 'Connect Wallet']);
    await before.close();

    await signIn(page, account);
    const editor = new CustomisationPage(page);
    await editor.goto();
    await editor.press('Preset Ocean');
    await editor.press('Move Wallet up');
    await editor.press('Undo');
    await editor.press('Redo');
    await editor.frame.getByRole('checkbox', { name: 'Apple' }).uncheck();
    // From disk: the page may not read a file that the frame opened.
    page.once('filechooser', (chooser) => void chooser.setFiles(logo));
    await editor.press('Upload Logo on light');
    await editor.frame.getByLabel('Alternative text').fill('Acme');
    await editor.press('Texts and links');
    await editor.frame.getByLabel('Wallet button').fill('Sign with a wallet');
    await editor.frame.getByLabel('Terms URL').fill('https://acme.example.com/terms');
    await expect(editor.panel.getByAltText('Acme')).toBeVisible();
    await expect(editor.state).toHaveText('Unsaved changes');

    await editor.press('Save');
    await expect(editor.state).toHaveText('Saved');

    const { visitor, tagVisitor, methods, tagMethods } = await openPanels();
    await expect(methods).toHaveText([/Google/, 'Sign with a wallet', /email/]);
    await expect(tagMethods).toHaveText([/Google/, 'Sign with a wallet', /email/]);
    const wallet = visitor.locator('.oid-login .oid-btn-primary');
    await expect(wallet).toHaveCSS('background-color', 'rgb(11, 99, 206)');
    await expect(wallet).toHaveCSS('font-family', /Figtree Variable/);
    const tagWallet = tagVisitor.locator('.panel .main');
    await expect(tagWallet).toHaveCSS('background-color', 'rgb(11, 99, 206)');
    await expect(tagVisitor.locator('.or').filter({ visible: true })).toHaveText(['OR', 'OR']);
    const terms = tagVisitor.getByRole('link', { name: 'Terms' });
    await expect(terms).toHaveAttribute('href', 'https://acme.example.com/terms');
    await expect(tagVisitor.locator('.panel')).toHaveCSS('background-color', 'rgb(247, 250, 254)');
    await expect(tagVisitor.locator('.panel')).toHaveCSS('border-radius', '12px');
    for (const [opened, button] of [
      [visitor, methods.first()],
      [tagVisitor, tagMethods.first()],
    ] as const) {
      await expect(button).toHaveCSS('font-family', /Figtree Variable/);
      await expect
        .poll(() => opened.evaluate(() => document.fonts.check("16px 'Figtree Variable'")))
        .toBe(true);
      const picture = opened.getByRole('img', { name: 'Acme' });
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
    }
  } finally {
    await Promise.all([site.close(), tagSite.close()]);
  }
});

test('a save without the network says so and keeps the changes, and works once the network is back', async ({
  page,
  context,
  request,
}) => {
  const { account } = await registerWithProject(request);
  await signIn(page, account);
  const editor = new CustomisationPage(page);
  await editor.goto();
  await editor.frame.getByRole('textbox', { name: 'Logo on light' }).fill('javascript:alert(1)');
  const problem = editor.frame.getByText('Enter a URL that starts with https://, or upload a picture.');
  await expect(problem).toHaveCSS('color', 'rgb(198, 40, 40)');
  await expect(editor.panel.locator('img')).toHaveCount(0);
  await editor.press('Remove Logo on light');
  await expect(problem).toBeHidden();
  await editor.press('Preset Ocean');
  await context.setOffline(true);
  await editor.press('Save');
  await expect(editor.frame.getByRole('alert')).toContainText('Not saved');
  await expect(editor.state).toHaveText('Unsaved changes');
  await context.setOffline(false);
  await editor.press('Save');
  await expect(editor.state).toHaveText('Saved');
  await expect(editor.frame.getByRole('alert')).toHaveCount(0);
});

test('an owner whose look was saved elsewhere in the meantime is told, can keep their own, and can restore the other', async ({
  page,
  request,
}) => {
  const { account, code } = await registerWithProject(request);
  await signIn(page, account);
  const editor = new CustomisationPage(page);
  await editor.goto();
  const elsewhere = await request.put(`/api/projects/${code}/appearance`, {
    headers: { authorization: `Bearer ${account.accessToken}` },
    data: { base: 0, appearance: { ...defaultAppearance, radius: 20 }, preview: null },
  });
  expect(elsewhere.ok(), await elsewhere.text()).toBe(true);
  await editor.press('Preset Ink');
  await editor.press('Save');
  await editor.press('Keep mine');
  await expect(editor.panel.locator('.oid-login-panel')).toHaveCSS('border-radius', '6px');
  await editor.press('Save');
  await expect(editor.state).toHaveText('Saved');
  await editor.press('Version history');
  const saves = editor.frame.getByRole('dialog', { name: 'Version history' });
  await saves.getByRole('button', { name: 'Restore' }).click();
  await expect(saves).toBeHidden();
  await expect(editor.state).toHaveText('Unsaved changes');
  await expect(editor.panel.locator('.oid-login-panel')).toHaveCSS('border-radius', '20px');
  await editor.press('Save');
  await expect(editor.state).toHaveText('Saved');
});

test('the configurator works by keyboard alone, passes axe, and fits 360 px', async ({ page, request }) => {
  const { account } = await registerWithProject(request);
  await signIn(page, account);
  await page.setViewportSize({ width: 360, height: 740 });
  const editor = new CustomisationPage(page);
  await editor.goto();
  const inFrame = (name: string) => editor.frame.getByRole('button', { name, exact: true });
  const undo = inFrame('Undo');

  await page.getByRole('heading', { name: 'Widget Customisation' }).click();
  await tabTo(page, inFrame('Preset Ocean'));
  await page.keyboard.press('Enter');
  await expect(editor.state).toHaveText('Unsaved changes');
  await page.keyboard.press('Control+z');
  await expect(editor.state).toHaveText('Default look');
  await page.keyboard.press('Control+Shift+z');
  await expect(editor.state).toHaveText('Unsaved changes');

  await tabTo(page, editor.frame.getByRole('textbox', { name: 'Accent as hex' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('#123456');
  await expect(editor.panel.locator('.oid-btn-primary')).toHaveCSS('background-color', 'rgb(18, 52, 86)');

  const up = inFrame('Move Wallet up');
  await tabTo(page, up);
  for (const place of [2, 1, 0]) {
    await page.keyboard.press('Enter');
    await expect(editor.frame.locator('.methods > li').nth(place)).toContainText('Wallet');
  }
  // The button of the first method is disabled: the focus stays on its row.
  await page.keyboard.press('Tab');
  await expect(inFrame('Move Wallet down')).toBeFocused();

  await tabTo(page, inFrame('Full screen'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  const frameState = page.locator('[data-machine="configuratorFrame"]');
  await expect(frameState).toHaveAttribute('data-state', /filling/);
  await expect(inFrame('Leave full screen')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(frameState).toHaveAttribute('data-state', /inPage/);

  await page.keyboard.press('Tab');
  await expect(editor.save).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editor.state).toHaveText('Saved');
  await tabTo(page, undo, 'Shift+Tab');
  // Not a trap: Shift+Tab leads out of the frame.
  await page.keyboard.press('Shift+Tab');
  await expect(page.locator('iframe:focus')).toHaveCount(0);

  const frame = page.frames().find((one) => one.url().includes('/widget/configurator'))!;
  expect(await axeFindingsOfFrame(frame)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  const over = await frame.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(over).toBe(0);
});
