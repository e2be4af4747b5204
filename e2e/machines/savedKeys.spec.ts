import { expect, type Route } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { axeFindings } from '../fixtures/axe';
import { machineTest as test } from '../fixtures/machine';
import { isTooWide } from '../fixtures/width';
import { KeysPage } from '../pages/keys.page';

test('the keys page creates and deletes keys, and handles refusals, time-outs and a key deleted elsewhere', async ({
  page,
  request,
  machine,
}) => {
  const saved = (id: string) => ({
    id,
    name: `Key ${id}`,
    key: `oid_${id.repeat(33)}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastUsed: null,
    callsToday: 0,
    expiresAt: null,
    rateLimit: null,
    replacesId: null,
    replacedAt: null,
  });
  const down = (route: Route) => route.fulfill({ status: 503, body: 'down' });
  const silence = () => undefined;
  let listed = [saved('1')];
  let make: (route: Route) => unknown = down;
  let remove: (route: Route) => unknown = down;
  await page.clock.install();
  await signIn(page, await register(request));
  await page.route('**/api/keys', (route) =>
    route.request().method() === 'POST' ? make(route) : route.fulfill({ json: listed }),
  );
  await page.route('**/api/keys/*', (route) => remove(route));
  const keys = new KeysPage(page);
  const creation = machine('savedKeys');
  const deletion = machine('deleteKey');
  await keys.goto();
  await expect(keys.rows).toHaveCount(1);

  await keys.create.click();
  await expect(keys.name).toHaveAttribute('aria-invalid', 'true');
  await keys.ask('Key 2');
  await expect(keys.failure).toContainText('The service is unavailable right now. Try again in a minute.');
  // Browsers take the focus from a button that is disabled during the attempt.
  await expect(keys.name).toBeFocused();
  make = silence;
  await keys.create.click();
  await creation.is('creating');
  await page.clock.fastForward(30_000);
  await expect(keys.failure).toContainText('within 30 s');
  make = (route) => {
    listed = [saved('2'), ...listed];
    return route.fulfill({ status: 201, json: saved('2') });
  };
  await keys.create.click();
  await expect(keys.row('Key 2')).toBeFocused();

  await keys.deleteButton('Key 2').click();
  await keys.confirm.click();
  await expect(keys.dialog.getByRole('alert')).toContainText(
    'The service is unavailable right now. Try again in a minute.',
  );
  await expect(keys.confirm).toBeFocused();
  remove = silence;
  await keys.confirm.click();
  await deletion.is('working');
  await page.clock.fastForward(30_000);
  await deletion.is('failed');
  await keys.cancel.click();
  await deletion.is('closed');
  remove = (route) => {
    listed = [saved('1')];
    return route.fulfill({ status: 204 });
  };
  await keys.deleteButton('Key 2').click();
  await keys.confirm.click();
  await expect(keys.rows).toHaveCount(1);
  await keys.deleteButton('Key 1').click();
  await deletion.send({ type: 'submission.vanish', what: 'key' });
  await deletion.is('vanished');
  await keys.close.click();
  await deletion.is('closed');
});

test('the dialogs that edit, rotate and end a key visit every state, pass axe and fit 320 px', async ({
  page,
  request,
  machine,
}) => {
  const key = {
    id: '1',
    name: 'Server',
    key: `oid_${'k'.repeat(33)}`,
    replacesId: null,
    replacedAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastUsed: null,
    callsToday: 0,
    expiresAt: null,
    rateLimit: null,
  };
  const down = (route: Route) => route.fulfill({ status: 503, body: 'down' });
  const done = (route: Route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 204 }) : route.fulfill({ json: key });
  const gone = (route: Route) =>
    route.fulfill({ status: 404, json: { statusCode: 404, message: 'gone', code: 'keys.notFound' } });
  let answer: (route: Route) => unknown = done;
  await signIn(page, await register(request));
  await page.route('**/api/keys', (route) => route.fulfill({ json: [key] }));
  await page.route('**/api/keys/**', (route) => answer(route));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 640 });
  const keys = new KeysPage(page);
  await keys.goto();
  await expect(keys.rows).toHaveCount(1);
  const dialogs: [name: string, subject: unknown][] = [
    ['editKey', { key, body: { rateLimit: 5 } }],
    ['rotateKey', { key, overlapDays: 7 }],
    ['endKey', key],
  ];
  const found: unknown[] = [];
  for (const [name, subject] of dialogs) {
    const dialog = machine(name);
    const open = async (state = 'confirming') => {
      // Ending the key removes its row at once; the next fetch shows it again, because the mock still returns it.
      await expect(keys.rows).toHaveCount(1);
      await dialog.send({ type: 'submission.open', subject });
      await dialog.is(state);
    };
    const confirm = async (answered: typeof answer, state: string) => {
      answer = answered;
      await dialog.send({ type: 'submission.confirm' });
      await dialog.is(state);
    };
    const close = async () => {
      await dialog.send({ type: 'submission.cancel' });
      await dialog.is('closed');
    };
    const vanish = async () => {
      await dialog.send({ type: 'submission.vanish', what: 'key' });
      await dialog.is('vanished');
      await close();
    };
    const start = async (answered: typeof answer, state: string) => {
      answer = answered;
      await dialog.send({ type: 'submission.start', subject });
      await dialog.is(state);
    };
    await open();
    const shown = page.getByRole('dialog');
    await expect(shown).toBeVisible();
    await expect.poll(() => isTooWide(page), { message: `the page under ${name}` }).toBe(false);
    const excess = () => shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(excess, { message: `${name} is no wider than the screen` }).toBe(0);
    for (const finding of await axeFindings(page, { within: '[role=dialog]' }))
      found.push([name, ...finding]);
    await close();
    await open();
    await vanish();
    if (name !== 'endKey') {
      await open();
      await confirm(gone, 'vanished');
      await close();
    }
    await open();
    await confirm(down, 'failed');
    await close();
    await open();
    await confirm(down, 'failed');
    await vanish();
    await start(down, 'failed');
    await start(down, 'failed');
    await open();
    await confirm(down, 'failed');
    await confirm(done, 'succeeded');
    await start(done, 'succeeded');
    await open();
    await close();
  }
  expect(found).toEqual([]);
});
