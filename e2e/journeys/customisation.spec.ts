import { defaultAppearance } from '@orange-id/contract/appearance';
import { expect } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { registerWithProject } from '../fixtures/project';
import { signIn } from '../fixtures/account';
import { startReactSite } from '../fixtures/react.site';
import { CustomisationPage } from '../pages/customisation.page';

test('a look that is saved in the configurator dresses the panel of another site at its next load', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const { account, code } = await registerWithProject(request);
  const port = await freePort();
  const siteUrl = `http://localhost:${port}`;
  const site = await startReactSite(
    `import { BedrockPassportProvider, LoginPanel } from '@bedrock_org/passport';
     export default function App() {
       return (
         <BedrockPassportProvider baseUrl="${baseURL}" authCallbackUrl="${siteUrl}/back" tenantId="${code}" subscriptionKey="${code}">
           <LoginPanel />
         </BedrockPassportProvider>
       );
     }`,
    port,
  );
  try {
    // Not beside the editor: the frame of a tab in the background draws nothing, and a click waits for that.
    let visitor = await context.newPage();
    const methods = () =>
      visitor.locator('.oid-login').getByRole('button', { name: /Continue with|wallet/i });
    await visitor.goto(siteUrl);
    await expect(methods()).toHaveText([/Google/, /Apple/, /email/, 'Connect Wallet']);
    await visitor.close();

    await signIn(page, account);
    const editor = new CustomisationPage(page);
    await editor.goto();
    await editor.press('Preset Ocean');
    await editor.press('Move Wallet up');
    await editor.press('Undo');
    await editor.press('Redo');
    await editor.frame.getByRole('checkbox', { name: 'Apple' }).uncheck();
    await expect(editor.state).toHaveText('Unsaved changes');

    await editor.press('Save');
    await expect(editor.state).toHaveText('Saved');

    await editor.press('Full screen');
    await expect(page.locator('[data-machine="configuratorFrame"]')).toHaveAttribute('data-state', /filling/);
    await editor.press('Leave full screen');
    await expect(page.locator('[data-machine="configuratorFrame"]')).toHaveAttribute('data-state', /inPage/);

    visitor = await context.newPage();
    await visitor.goto(siteUrl);
    await expect(methods()).toHaveText([/Google/, 'Connect Wallet', /email/]);
    await expect(visitor.locator('.oid-login .oid-btn-primary')).toHaveCSS(
      'background-color',
      'rgb(11, 99, 206)',
    );
  } finally {
    await site.close();
  }
});

test('an owner whose look was saved elsewhere in the meantime is told, and can keep their own', async ({
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
  await editor.press('Save');
  await expect(editor.state).toHaveText('Saved');
  await editor.press('Earlier saves');
  await expect(editor.frame.getByRole('button', { name: 'Restore' })).toHaveCount(1);
});
