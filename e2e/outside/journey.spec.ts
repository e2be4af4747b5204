import { expect } from '@playwright/test';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newEmail, password, registerWithProfile, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { freePort } from '../fixtures/portal.process';
import { LoginPage } from '../pages/login.page';
import { WizardPage } from '../pages/wizard.page';

test('from an empty folder to a person who is signed in on a site of one’s own', async ({
  page,
  browser,
  request,
}) => {
  const begun = Date.now();
  const folder = await mkdtemp(join(tmpdir(), 'journey-'));
  const project = join(folder, 'my-app');
  const npm = (cwd: string, ...args: string[]) => promisify(execFile)('npm', args, { cwd, timeout: 120_000 });
  let server: ReturnType<typeof spawn> | undefined;
  try {
    const code = await test.step('the wizard creates a project and shows the page to copy', async () => {
      await signIn(page, await registerWithProfile(request));
      const wizard = new WizardPage(page);
      await wizard.goto();
      await wizard.create('My first app', ['https://my-app.example.com']);
      const snippet = page.getByRole('group', { name: 'page with the script tag', exact: true });
      return (await snippet.textContent()) ?? '';
    });

    const site = await test.step('Vite makes an empty project, which gets the page', async () => {
      await npm(
        folder,
        'create',
        '--yes',
        'vite@9.3.0',
        'my-app',
        '--',
        '--template',
        'vanilla',
        '--no-interactive',
      );
      await npm(project, 'install', '--no-audit', '--no-fund', '--prefer-offline');
      await writeFile(join(project, 'index.html'), code);
      const port = await freePort();
      server = spawn(
        process.execPath,
        ['node_modules/vite/bin/vite.js', '--port', String(port), '--strictPort', '--host', 'localhost'],
        { cwd: project, stdio: 'ignore' },
      );
      const url = `http://localhost:${port}`;
      await expect
        .poll(
          () =>
            fetch(url).then(
              ({ ok }) => ok,
              () => false,
            ),
          { timeout: 30_000 },
        )
        .toBe(true);
      return url;
    });

    await test.step('a person makes an account on the way, and is signed in', async () => {
      const context = await browser.newContext();
      const visitor = await context.newPage();
      await visitor.goto(site);
      const opening = visitor.waitForEvent('popup');
      await visitor.getByRole('button', { name: /^Sign in/ }).click();
      const window = await opening;
      const login = new LoginPage(window);
      await login.withEmail.click();
      await window.getByRole('button', { name: /create an account/i }).click();
      await login.email.fill(newEmail());
      await login.password.fill(password);
      await login.confirmPassword.fill(password);
      await window.getByRole('button', { name: /^create account$/i }).click();
      await window.getByRole('button', { name: 'Continue', exact: true }).click();
      await expect(visitor.getByRole('status')).toHaveText(/^Signed in/);
      await visitor.reload();
      await expect(visitor.getByRole('status')).toHaveText(/^Signed in/);
      await context.close();
    });
    process.stdout.write(
      `From the wizard to a signed-in page: ${Math.round((Date.now() - begun) / 1000)} s\n`,
    );
  } finally {
    if (server) {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
});
