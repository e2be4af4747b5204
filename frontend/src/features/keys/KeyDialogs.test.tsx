import { expect, test } from '@jest/globals';
import type { ChangeKey, SavedKey } from '@orange-id/contract/keys.schema';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { metricsOfCalls } from '../../testing/key.metrics';
import { answerLive } from '../../testing/live.connection';
import { json, network, refusal, silence } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const dayMs = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Opens `/keys` with these keys. Changes, rotations and deletions on the page update them. */
async function openKeys(...given: Partial<SavedKey>[]) {
  const kept: SavedKey[] = given.map((key, place) => ({ ...unusedKey, id: `id-${place + 1}`, ...key }));
  const changes: ChangeKey[] = [];
  const rotations: unknown[] = [];
  const calls: Record<string, number> = {};
  const rotate = (id: string, overlapDays: number): SavedKey => {
    const old = kept.find((key) => key.id === id) as SavedKey;
    const made = { ...old, id: `${id}-new`, key: `oid_${'n'.repeat(33)}`, replacesId: id, callsToday: 0 };
    if (overlapDays === 0) kept.splice(kept.indexOf(old), 1);
    else
      Object.assign(old, {
        replacedAt: ago(0),
        expiresAt: ago(-overlapDays * dayMs),
      } satisfies Partial<SavedKey>);
    kept.unshift({ ...made, lastUsed: null });
    return kept[0] as SavedKey;
  };
  network.use(
    http.get('/api/keys', () => json(kept)),
    http.get('/api/analytics/metrics', ({ request }) =>
      json(metricsOfCalls(calls[new URL(request.url).searchParams.get('keyId') ?? ''] ?? 0)),
    ),
    http.patch<{ id: string }, ChangeKey>('/api/keys/:id', async ({ request, params }) => {
      const body = await request.json();
      changes.push(body);
      const key = kept.find(({ id }) => id === params.id) as SavedKey;
      return json(Object.assign(key, body));
    }),
    http.post<{ id: string }, { overlapDays: number }>(
      '/api/keys/:id/rotate',
      async ({ request, params }) => {
        const body = await request.json();
        rotations.push(body);
        return json(rotate(params.id, body.overlapDays), 201);
      },
    ),
    http.delete<{ id: string }>('/api/keys/:id', ({ params }) => {
      kept.splice(
        kept.findIndex(({ id }) => id === params.id),
        1,
      );
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const portal = openPortal('/keys');
  await screen.findAllByRole('listitem', { name: 'Server' });
  return { ...portal, kept, changes, rotations, calls, rotate };
}

const row = () => screen.getByRole('listitem', { name: 'Server' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const dialog = (name: string) => within(screen.getByRole('dialog', { name }));
const field = (name: string, label: RegExp) => dialog(name).getByLabelText<HTMLInputElement>(label);
const edit = 'Edit API key';
const save = () => dialog(edit).getByRole('button', { name: 'Save' });

test('a key shows its calls today, its expiry and its limit, and an expired key says so', async () => {
  const { close } = await openKeys({
    lastUsed: ago(8_000),
    callsToday: 1234,
    expiresAt: ago(-3 * dayMs),
    rateLimit: 5,
  });
  expect(row()).toHaveTextContent(/Last used \d+ s ago · 1,234 calls today/);
  expect(row()).toHaveTextContent(/Expires in (2|3) d/);
  expect(row()).toHaveTextContent('5 calls/s');
  close();
  await openKeys({ expiresAt: ago(1_000), callsToday: 1 });
  expect(row()).toHaveTextContent('Not used yet · 1 call today');
  expect(row()).toHaveTextContent('Expired');
});

test('the calls of a key are counted live', async () => {
  const { say } = answerLive();
  const { kept } = await openKeys({ id: usageRowOf(1).keyId, callsToday: 1 });
  const main = within(screen.getByRole('main'));
  await waitFor(() => expect(main.getByText('Live')).toBeInTheDocument());
  Object.assign(kept[0] as SavedKey, { callsToday: 2, lastUsed: ago(0) });
  act(() => say('usage.rows', { rows: [usageRowOf(1)], seq: 1 }));
  await waitFor(() => expect(row()).toHaveTextContent('2 calls today'));
});

test('a call that arrives while the keys are being read is counted right after', async () => {
  const { say } = answerLive();
  const { user, kept } = await openKeys({ id: usageRowOf(1).keyId, callsToday: 1 });
  await waitFor(() => expect(within(screen.getByRole('main')).getByText('Live')).toBeInTheDocument());
  const answers: (() => void)[] = [];
  network.use(
    http.get('/api/keys', async () => {
      const response = json(kept);
      await new Promise<void>((resolve) => answers.push(resolve));
      return response;
    }),
  );
  await user.click(button('Edit Server'));
  await user.type(field(edit, /^Name/), ' two{Enter}');
  await waitFor(() => expect(answers).toHaveLength(1));
  Object.assign(kept[0] as SavedKey, { callsToday: 2 });
  act(() => say('usage.rows', { rows: [usageRowOf(1)], seq: 1 }));
  // Rows are delivered in a task after the next frame.
  await act(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  // The first response was made before the call was stored.
  answers[0]?.();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  const renamed = await screen.findByRole('listitem', { name: 'Server two' });
  await waitFor(() => expect(renamed).toHaveTextContent('2 calls today'));
});

test('only the changed fields are sent, the key shows them, and empty fields remove the expiry and the limit', async () => {
  const { user, changes } = await openKeys({});
  await user.click(button('Edit Server'));
  await waitFor(() => expect(field(edit, /^Name/)).toHaveFocus());
  await user.clear(field(edit, /^Limit/));
  await user.type(field(edit, /^Limit/), '25{Enter}');
  await expectToast('API key saved', 'Server');
  expect(row()).toHaveTextContent('25 calls/s');
  await waitFor(() => expect(button('Edit Server')).toHaveFocus());

  await user.click(button('Edit Server'));
  fireEvent.change(field(edit, /^Expires/), { target: { value: '2099-01-31T12:00' } });
  await user.clear(field(edit, /^Limit/));
  await user.click(save());
  await waitFor(() => expect(row()).toHaveTextContent(/Expires in \d+ y/));
  expect(row()).not.toHaveTextContent('calls/s');

  await user.click(button('Edit Server'));
  expect(field(edit, /^Expires/)).toHaveValue('2099-01-31T12:00');
  fireEvent.change(field(edit, /^Expires/), { target: { value: '' } });
  await user.clear(field(edit, /^Name/));
  await user.type(field(edit, /^Name/), ' Renamed ');
  await user.click(save());
  await screen.findByRole('listitem', { name: 'Renamed' });
  expect(changes).toEqual([
    { rateLimit: 25 },
    { expiresAt: new Date('2099-01-31T12:00').toISOString(), rateLimit: null },
    { name: 'Renamed', expiresAt: null },
  ]);
});

test('a field that isn’t valid is explained and focused, and nothing is sent', async () => {
  const { user, changes, machine } = await openKeys({});
  await user.click(button('Edit Server'));
  const refusals: [label: RegExp, value: string, problem: string][] = [
    [/^Name/, ' ', 'Name is required'],
    [/^Name/, 'a'.repeat(51), 'Name must be less than 50 characters'],
    [
      /^Expires/,
      '2020-01-01T00:00',
      'The expiry must be in the future. To stop the key now, delete or rotate it',
    ],
    [/^Limit/, '0', 'Enter a whole number from 1 to 1,000, or leave it empty'],
    [/^Limit/, '1001', 'Enter a whole number from 1 to 1,000, or leave it empty'],
    [/^Limit/, 'ten', 'Enter a whole number from 1 to 1,000, or leave it empty'],
  ];
  for (const [label, value, problem] of refusals) {
    fireEvent.change(field(edit, label), { target: { value } });
    await user.click(save());
    expect(dialog(edit).getByText(problem)).toBeInTheDocument();
    expect(field(edit, label)).toHaveFocus();
    await user.click(dialog(edit).getByRole('button', { name: 'Reset' }));
    expect(dialog(edit).queryByText(problem)).not.toBeInTheDocument();
  }
  expect(field(edit, /^Name/)).toHaveValue('Server');
  await user.click(save());
  await machine('editKey').is('closed');
  expect(changes).toEqual([]);
});

test('an incomplete expiry, for which the browser reports no value, is explained and does not remove the expiry', async () => {
  const { user, changes } = await openKeys({ expiresAt: ago(-dayMs) });
  await user.click(button('Edit Server'));
  // The dialog focuses its first field once it is open.
  await waitFor(() => expect(field(edit, /^Name/)).toHaveFocus());
  const expiry = field(edit, /^Expires/);
  fireEvent.change(expiry, { target: { value: '' } });
  Object.defineProperty(expiry, 'validity', { value: { badInput: true } });
  await user.click(save());
  expect(
    dialog(edit).getByText('Enter a complete date and time, or clear the field for no expiry'),
  ).toBeInTheDocument();
  expect(expiry).toHaveFocus();
  expect(changes).toEqual([]);
});

test('what was typed stays after a failure and after the dialog was closed, until it is saved', async () => {
  const { user, machine, changes } = await openKeys({});
  network.use(http.patch('/api/keys/:id', () => refusal(503, 'down'), { once: true }));
  await user.click(button('Edit Server'));
  expect(dialog(edit).getByText('Changes take effect within a second.')).toBeInTheDocument();
  await user.type(field(edit, /^Name/), ' two');
  expect(
    dialog(edit).getByText('Not saved yet. Closing this dialog keeps what you typed.'),
  ).toBeInTheDocument();
  await user.click(save());
  await expectToast('Failed to save API key', 'The service is unavailable right now. Try again in a minute.');
  await machine('editKey').is('failed');
  expect(field(edit, /^Name/)).toHaveValue('Server two');
  await user.keyboard('{Escape}');
  await machine('editKey').is('closed');
  await user.click(button('Edit Server'));
  expect(field(edit, /^Name/)).toHaveValue('Server two');
  expect(dialog(edit).queryByRole('alert')).not.toBeInTheDocument();
  await user.click(save());
  await screen.findByRole('listitem', { name: 'Server two' });
  expect(changes).toEqual([{ name: 'Server two' }]);
});

test('a rotation shows the new key in full and both keys side by side with their calls, and the old one can be ended', async () => {
  const { user, rotations, calls, machine } = await openKeys({ lastUsed: ago(90_000), callsToday: 40 });
  calls['id-1'] = 40;
  calls['id-1-new'] = 2;
  await user.click(button('Rotate Server'));
  const days = () => field('Rotate API key', /^Days/);
  await waitFor(() => expect(days()).toHaveFocus());
  expect(days()).toHaveValue('7');
  for (const text of ['', '31', '1.5', '-1']) {
    await user.clear(days());
    if (text !== '') await user.type(days(), text);
    await user.click(dialog('Rotate API key').getByRole('button', { name: 'Rotate key' }));
    expect(
      dialog('Rotate API key').getByText('Enter a whole number of days from 0 to 30'),
    ).toBeInTheDocument();
    expect(days()).toHaveFocus();
  }
  await user.clear(days());
  await user.type(days(), '3{Enter}');
  await expectToast('API key rotated', 'Server');
  expect(rotations).toEqual([{ overlapDays: 3, expiresAt: null, rateLimit: null }]);
  await waitFor(() => expect(row()).toHaveFocus());
  expect(row().querySelector('.copy-value_text')).toHaveTextContent(`oid_${'n'.repeat(33)}`);

  const pair = within(screen.getByRole('region', { name: 'Both keys work' }));
  const [old, made] = ['Old key', 'New key'].map((name) => pair.getByRole('region', { name }));
  expect(old).toHaveTextContent(/Calls today40/);
  expect(made).toHaveTextContent(/Calls today0.*Last used–Not used yet/);
  await waitFor(() => expect(old).toHaveTextContent('40 calls'));
  expect(made).toHaveTextContent('2 calls');
  expect(screen.queryByRole('button', { name: 'Rotate Server' })).not.toBeInTheDocument();

  await user.click(button('End old key now'));
  const confirm = () => dialog('End old key now');
  await waitFor(() => expect(confirm().getByRole('button', { name: 'Cancel' })).toHaveFocus());
  expect(confirm().getByRole('note')).toHaveTextContent(/Last used 1 min ago.*40 calls in the last 24 hours/);
  await user.click(confirm().getByRole('button', { name: 'End key' }));
  await expectToast('Old API key ended', 'Server');
  await machine('endKey').is('succeeded');
  expect(screen.queryByRole('region', { name: 'Both keys work' })).not.toBeInTheDocument();
  expect(button('Rotate Server')).toBeInTheDocument();
});

test('a rotation without overlap warns that the key is in use and leaves only the new key', async () => {
  const { user, calls, rotations } = await openKeys({ lastUsed: ago(90_000) });
  calls['id-1'] = 1;
  await user.click(button('Rotate Server'));
  await user.clear(field('Rotate API key', /^Days/));
  await user.type(field('Rotate API key', /^Days/), '0');
  const rotating = dialog('Rotate API key');
  expect(rotating.getByText(/stops working within a second/)).toBeInTheDocument();
  await waitFor(() =>
    expect(rotating.getByRole('note')).toHaveTextContent(/Last used 1 min ago.*1 call in the last 24 hours/),
  );
  await user.click(rotating.getByRole('button', { name: 'Rotate key' }));
  await waitFor(() => expect(row()).toHaveFocus());
  expect(rotations).toEqual([{ overlapDays: 0, expiresAt: null, rateLimit: null }]);
  expect(screen.queryByRole('region', { name: 'Both keys work' })).not.toBeInTheDocument();
});

test('a rotation proposes the expiry and the limit of the old key, and says what changes', async () => {
  const expiresAt = new Date(Date.now() + 30 * dayMs).toISOString();
  const { user, rotations } = await openKeys({ expiresAt, rateLimit: 5 });
  const rotating = () => dialog('Rotate API key');
  const expires = () => field('Rotate API key', /^Expires/);
  await user.click(button('Rotate Server'));
  expect(expires().value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  expect(field('Rotate API key', /^Limit/)).toHaveValue('5');
  expect(rotating().getAllByText('The same as the old key’s.')).toHaveLength(2);
  await user.click(rotating().getByRole('button', { name: 'Rotate key' }));
  await expectToast('API key rotated', 'Server');
  // To the millisecond, although the field shows only minutes.
  expect(rotations).toEqual([{ overlapDays: 7, expiresAt, rateLimit: 5 }]);
});

test('the new key of a rotation can have another expiry and limit, and invalid ones are refused', async () => {
  const { user, rotations } = await openKeys({
    expiresAt: new Date(Date.now() + 30 * dayMs).toISOString(),
    rateLimit: 5,
  });
  const rotating = () => dialog('Rotate API key');
  const submit = () => user.click(rotating().getByRole('button', { name: 'Rotate key' }));
  await user.click(button('Rotate Server'));
  fireEvent.change(field('Rotate API key', /^Expires/), { target: { value: '2020-01-31T12:00' } });
  await user.clear(field('Rotate API key', /^Limit/));
  await user.type(field('Rotate API key', /^Limit/), '0');
  await submit();
  expect(
    rotating().getByText('The expiry must be in the future. To stop the old key now, enter 0 days above'),
  ).toBeInTheDocument();
  expect(rotating().getByText(/^Enter a whole number from 1 to/)).toBeInTheDocument();
  expect(rotations).toEqual([]);
  fireEvent.change(field('Rotate API key', /^Expires/), { target: { value: '' } });
  await user.clear(field('Rotate API key', /^Limit/));
  expect(rotating().getByText(/^The old key expires at/)).toBeInTheDocument();
  expect(rotating().getByText('The old key has 5.')).toBeInTheDocument();
  await submit();
  await expectToast('API key rotated', 'Server');
  expect(rotations).toEqual([{ overlapDays: 7, expiresAt: null, rateLimit: null }]);
});

test('a rotation of an expired key proposes no expiry, and says that the old one has passed', async () => {
  const { user } = await openKeys({ expiresAt: ago(60_000) });
  await user.click(button('Rotate Server'));
  expect(field('Rotate API key', /^Expires/)).toHaveValue('');
  expect(dialog('Rotate API key').getByText(/^The old key expired at/)).toBeInTheDocument();
});

test('every dialog tells two keys of one name apart by their ends and their last use', async () => {
  const { user, kept } = await openKeys(
    { key: `oid_aaaa${'x'.repeat(25)}1111`, lastUsed: ago(90_000) },
    { key: `oid_bbbb${'x'.repeat(25)}2222` },
  );
  expect(kept).toHaveLength(2);
  const [first, second] = screen.getAllByRole('listitem', { name: 'Server' });
  for (const [act, title] of [
    ['Edit', 'Edit API key'],
    ['Rotate', 'Rotate API key'],
    ['Delete', 'Delete API key'],
  ] as const) {
    for (const [place, text] of [
      [first, /oid_aaaa.*1111 · Last used 1 min ago/],
      [second, /oid_bbbb.*2222 · Not used yet/],
    ] as const) {
      await user.click(within(place as HTMLElement).getByRole('button', { name: `${act} Server` }));
      expect(screen.getByRole('dialog', { name: title })).toHaveTextContent(text);
      await user.click(dialog(title).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    }
  }
});

test('a key deleted or added in another tab changes the list at once', async () => {
  const { say } = answerLive();
  const { kept } = await openKeys({}, { name: 'Other' });
  await waitFor(() => expect(within(screen.getByRole('main')).getByText('Live')).toBeInTheDocument());
  kept.splice(0, 1, { ...unusedKey, id: 'id-3', name: 'Added elsewhere' });
  act(() => say('keys.changed', undefined));
  expect(await screen.findByRole('listitem', { name: 'Added elsewhere' })).toBeInTheDocument();
  expect(screen.queryByRole('listitem', { name: 'Server' })).not.toBeInTheDocument();
});

test('a rotation whose response was lost is found in the list and not made twice', async () => {
  const { user, rotate, kept } = await openKeys({});
  let asked = 0;
  network.use(
    http.post<{ id: string }>('/api/keys/:id/rotate', ({ params }) => {
      asked += 1;
      rotate(params.id, 7);
      return HttpResponse.error();
    }),
  );
  await user.click(button('Rotate Server'));
  await user.click(dialog('Rotate API key').getByRole('button', { name: 'Rotate key' }));
  await expectToast('API key rotated', 'Server');
  expect([asked, kept.length]).toEqual([1, 2]);
});

test('the dialog of a key rotated or deleted elsewhere says so and can only be closed', async () => {
  const { user, machine, rotate } = await openKeys({});
  network.use(
    http.post('/api/keys/:id/rotate', () => refusal(409, 'replaced', 'keys.replaced')),
    http.patch('/api/keys/:id', () => refusal(404, 'API key not found', 'keys.notFound')),
  );
  await user.click(button('Rotate Server'));
  await user.click(dialog('Rotate API key').getByRole('button', { name: 'Rotate key' }));
  await machine('rotateKey').is('vanished');
  expect(dialog('Rotate API key').getByRole('alert')).toHaveTextContent(
    'This API key was already rotated in another tab or on another device. The list shows the new one.',
  );
  await user.click(dialog('Rotate API key').getByRole('button', { name: 'Close' }));

  await user.click(button('Edit Server'));
  await user.type(field(edit, /^Name/), '!{Enter}');
  await machine('editKey').is('vanished');
  expect(dialog(edit).getByRole('alert')).toHaveTextContent(
    'This API key was deleted in another tab or on another device.',
  );
  await user.click(dialog(edit).getByRole('button', { name: 'Close' }));

  await user.click(button('Edit Server'));
  rotate('id-1', 7);
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await machine('editKey').is('vanished');
});

test('deleting a key used in the last 24 hours says when and how often it was used; an idle key has no warning', async () => {
  const { user, calls, close } = await openKeys({ lastUsed: ago(2.5 * 3_600_000) });
  calls['id-1'] = 1234;
  await user.click(button('Delete Server'));
  await waitFor(() =>
    expect(dialog('Delete API key').getByRole('note')).toHaveTextContent(
      /^Last used 2 h ago, at .+ 1,234 calls in the last 24 hours\.$/,
    ),
  );
  close();
  const idle = await openKeys({ lastUsed: ago(25 * 3_600_000) });
  await idle.user.click(button('Delete Server'));
  expect(dialog('Delete API key').queryByRole('note')).not.toBeInTheDocument();
});

test('a call that arrives while the calls of a key are being counted is counted right after', async () => {
  const { say } = answerLive();
  const { user, kept } = await openKeys({ id: usageRowOf(1).keyId, lastUsed: ago(90_000) });
  await waitFor(() => expect(within(screen.getByRole('main')).getByText('Live')).toBeInTheDocument());
  const answers: ((calls: number) => void)[] = [];
  network.use(
    http.get('/api/analytics/metrics', async () => {
      const calls = await new Promise<number>((resolve) => answers.push(resolve));
      return json(metricsOfCalls(calls));
    }),
  );
  await user.click(button('Delete Server'));
  await waitFor(() => expect(answers).toHaveLength(1));
  Object.assign(kept[0] as SavedKey, { callsToday: 7 });
  act(() => say('usage.rows', { rows: [usageRowOf(1, { timestamp: ago(0) })], seq: 1 }));
  await waitFor(() => expect(row()).toHaveTextContent('7 calls today'));
  // The first response was made before the call was stored.
  answers[0]?.(0);
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(1);
  await waitFor(() =>
    expect(dialog('Delete API key').getByRole('note')).toHaveTextContent(/1 call in the last 24 hours\.$/),
  );
});

test('while the calls of a key are being counted, the deletion dialog already says that the key is in use', async () => {
  const { user } = await openKeys({ lastUsed: ago(90_000) });
  network.use(http.get('/api/analytics/metrics', silence));
  await user.click(button('Delete Server'));
  const note = () => dialog('Delete API key').getByRole('note');
  await waitFor(() =>
    expect(note()).toHaveTextContent(/Last used 1 min ago.*Counting its calls in the last 24 hours\.\.\.$/),
  );
  await user.click(dialog('Delete API key').getByRole('button', { name: 'Cancel' }));
});
