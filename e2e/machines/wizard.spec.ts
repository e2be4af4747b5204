import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { expect, type Route } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { WizardPage } from '../pages/wizard.page';

test('the wizard and its wait for the first call visit every state', async ({ page, request, machine }) => {
  const projectId = 'orange-0000000001';
  const row = usageRowOf(1, { projectId });
  const down = (route: Route) => route.fulfill({ status: 503, body: 'down' });
  const profile = { displayName: null as string | null };
  let rows: unknown[] | null = [];
  const kept: unknown[] = [];
  await page.clock.install();
  // Without a live connection the panel polls.
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close());
  const account = await signIn(page, await register(request));
  await page.route('**/api/v1/auth/user', (route) =>
    route.fulfill({ json: { id: 'user-1', email: account.email, emailVerified: true, ...profile } }),
  );
  await page.route('**/api/v1/user/profile', down);
  await page.route('**/devportal/v1/project', down);
  await page.route('**/devportal/v1/user/projects', (route) => route.fulfill({ json: kept }));
  await page.route('**/api/usage?*', (route) =>
    rows === null ? route.abort() : route.fulfill({ json: { rows, next: null } }),
  );
  const wizard = new WizardPage(page);
  await wizard.goto();

  await test.step('the naming step asks for the missing profile fields', async () => {
    await wizard.submitName('');
    await expect(wizard.root).toContainText('Please enter a project name.');
    await wizard.submitName('Kept');
    await expect(wizard.displayName).toHaveAttribute('aria-invalid', 'true');
    await wizard.displayName.fill('Ada');
    await wizard.createNew.click();
    await expect(wizard.root).toContainText('Your profile couldn’t be saved');
    await page.unroute('**/api/v1/user/profile');
    await page.route('**/api/v1/user/profile', (route) => route.fulfill({ json: { displayName: 'Ada' } }));
    profile.displayName = 'Ada';
    await wizard.createNew.click();
    await wizard.expectState('addingUrls');
  });

  await test.step('URLs are added, and a failed creation is shown', async () => {
    await machine('wizard').send({ type: 'project.create', profile: {} });
    await wizard.addUrl('https://one.example.org');
    await wizard.addUrl('https://two.example.org');
    await wizard.whitelist.getByRole('button', { name: 'Remove https://one.example.org' }).click();
    await wizard.back.click();
    await wizard.expectState('naming');
    await wizard.createNew.click();
    await wizard.expectState('addingUrls');
    await page.reload();
    await wizard.expectState('addingUrls');
    await machine('wizard').send({ type: 'project.create', profile: {} });
    await wizard.expectState('naming');
    await wizard.createNew.click();
    await wizard.urlInput.fill('http://localhost');
    await wizard.createProject.click();
    await expect(wizard.urlInput).toHaveAttribute('aria-invalid', 'true');
    await wizard.urlInput.fill('https://two.example.org/again');
    await wizard.createProject.click();
    await expect(wizard.root).toContainText('Failed to create project: 503 - down');
    // Browsers take the focus from a button that is disabled during the attempt.
    await expect(wizard.createProject).toBeFocused();
    await wizard.urlInput.fill('https://three.example.org');
    await wizard.createProject.click();
    await expect(wizard.whitelist.getByRole('listitem')).toHaveCount(2);
    await expect(wizard.root).toContainText('Failed to create project: 503 - down');
    await page.unroute('**/devportal/v1/project');
    await page.route('**/devportal/v1/project', (route) =>
      route.fulfill({ status: 201, json: { projectId, apiKey: `oid_${'k'.repeat(33)}` } }),
    );
    kept.push({
      id: '1',
      code: projectId,
      projectName: 'Kept',
      apiKey: `oid_${'k'.repeat(33)}`,
      urls: ['https://two.example.org', 'https://three.example.org'],
      createdAt: '2026-01-01T00:00:00.000Z',
      lastUpdatedAt: '2026-01-01T00:00:00.000Z',
    });
    await wizard.createProject.click();
    await wizard.expectState('summarised');
  });

  await test.step('the panel waits for the first call', async () => {
    const panel = machine('firstCall');
    await panel.is('waiting.polling');
    rows = null;
    await page.clock.fastForward(5_000);
    await panel.is('waiting.polling');
    rows = [];
    await panel.send({ type: 'live.change', isLive: true });
    await panel.is('waiting.listening');
    await panel.send({ type: 'usage.recheck' });
    await panel.is('waiting.listening');
    await panel.send({ type: 'live.change', isLive: false });
    await panel.is('waiting.polling');
    await panel.send({ type: 'row.arrive', row });
    await expect(wizard.firstCall).toContainText('GET /api/v1/key');
    rows = [row];
  });

  await test.step('the summary opens again after going back, and after a reload whose first request fails', async () => {
    await wizard.back.click();
    await wizard.expectState('reviewing');
    await wizard.back.click();
    await wizard.expectState('naming');
    await wizard.createNew.click();
    await wizard.expectState('reviewing');
    await wizard.viewSummary.click();
    await wizard.expectState('summarised');
    await expect(wizard.firstCall).toHaveAttribute('data-state', 'arrived');
    await page.unroute('**/devportal/v1/user/projects');
    await page.route('**/devportal/v1/user/projects', down);
    await page.reload();
    await expect(wizard.root).toContainText('Failed to load your project');
    await page.unroute('**/devportal/v1/user/projects');
    await page.route('**/devportal/v1/user/projects', (route) => route.fulfill({ json: kept }));
    await wizard.root.getByRole('button', { name: 'Retry' }).click();
    await expect(wizard.heading).toHaveText('Kept is ready');
    await wizard.goto('?created=orange-0000000009');
    await wizard.expectState('naming');
  });
});
