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
    const visitor = await context.newPage();
    const methods = () =>
      visitor.locator('.oid-login').getByRole('button', { name: /Continue with|wallet/i });
    await visitor.goto(siteUrl);
    await expect(methods()).toHaveText([/Google/, /Apple/, /email/, 'Connect Wallet']);

    await signIn(page, account);
    const editor = new CustomisationPage(page);
    await editor.goto();
    await editor.press('Preset Ocean');
    await editor.press('Move Wallet up');
    await editor.press('Undo');
    await editor.press('Redo');
    await editor.frame.getByRole('checkbox', { name: 'Apple' }).uncheck();
    await expect(editor.state).toHaveText('Unsaved changes');

    // Saving offline says why and loses nothing.
    await context.setOffline(true);
    await editor.press('Save');
    await expect(editor.frame.getByRole('alert')).toContainText('Not saved');
    await context.setOffline(false);
    await editor.press('Save');
    await expect(editor.state).toHaveText('Saved');

    await visitor.reload();
    await expect(methods()).toHaveText([/Google/, 'Connect Wallet', /email/]);
    await expect(visitor.locator('.oid-login .oid-btn-primary')).toHaveCSS(
      'background-color',
      'rgb(11, 99, 206)',
    );

    await editor.press('Full screen');
    await expect(page.locator('[data-machine="configuratorFrame"]')).toHaveAttribute('data-state', /filling/);
    await editor.press('Leave full screen');
    await expect(page.locator('[data-machine="configuratorFrame"]')).toHaveAttribute('data-state', /inPage/);
  } finally {
    await site.close();
  }
});

test('a second tab that saves over another is told, and can keep its own look', async ({
  page,
  context,
  request,
}) => {
  const { account } = await registerWithProject(request);
  const other = await context.newPage();
  for (const each of [page, other]) await signIn(each, account);
  const [first, second] = [new CustomisationPage(page), new CustomisationPage(other)];
  await first.goto();
  await second.goto();
  await first.press('Preset Rose');
  await first.press('Save');
  await expect(first.state).toHaveText('Saved');
  await second.press('Preset Ink');
  await second.press('Save');
  await second.press('Keep mine');
  await second.press('Save');
  await expect(second.state).toHaveText('Saved');
  await second.press('Earlier saves');
  await expect(second.frame.getByRole('button', { name: 'Restore' })).toHaveCount(1);
});
