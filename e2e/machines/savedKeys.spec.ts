import { expect, type Route } from '@playwright/test';
import { register, signIn } from '../fixtures/account';
import { machineTest as test } from '../fixtures/machine';
import { KeysPage } from '../pages/keys.page';

test('the keys page creates and deletes keys, and handles refusals, time-outs and a key deleted elsewhere', async ({
  page,
  request,
  machine,
}) => {
  const saved = (id: string) => ({
    ...{ id, name: `Key ${id}`, key: `oid_${id.repeat(33)}` },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', lastUsed: null, callsToday: 0 },
    ...{ expiresAt: null, rateLimit: null, replacesId: null, replacedAt: null },
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
