import { expect, type Page } from '@playwright/test';
import { createProject, register, signIn } from '../fixtures/account';
import { startForeignSite } from '../fixtures/foreign.site';
import { machineTest as test } from '../fixtures/machine';

/** The result of a call with the key from a script on that page; the header triggers a preflight request. */
const callFrom = (page: Page, url: string, apiKey: string) =>
  page.evaluate(
    async ({ url, apiKey }) => {
      try {
        const response = await fetch(url, { headers: { 'X-API-Key': apiKey } });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      } catch (error) {
        return { status: 0, body: { message: String(error) } };
      }
    },
    { url, apiKey },
  );

test('a page on a whitelisted host may call, and one on another host is refused with the reason and listed as blocked', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const site = await startForeignSite();
  const account = await register(request);
  const { apiKey } = await createProject(request, account, {
    projectName: 'Origins',
    whitelistURL: ['http://allowed.example.com'],
  });
  await signIn(page, account);
  await page.goto('/usage');

  const visitor = await context.newPage();
  await visitor.goto(site.at('allowed.example.com'));
  const allowed = await callFrom(visitor, `${baseURL}/api/v1/key`, apiKey);
  expect(allowed).toMatchObject({ status: 200, body: { project: { name: 'Origins' } } });

  await visitor.goto(site.at('other.example.com'));
  const refused = await callFrom(visitor, `${baseURL}/api/v1/key`, apiKey);
  expect(refused).toMatchObject({ status: 403, body: { code: 'key.originRefused' } });

  const rows = page.getByRole('row');
  await expect(rows.filter({ hasText: /blocked/i }).filter({ hasText: 'other.example.com' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'allowed.example.com' })).toHaveCount(1);
  await site.close();
});
