import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const path = '/api/forum/mail';
/** What the other sections ask for. */
const others = ['identifiers', 'changes', 'sessions', 'apps'].map((name) =>
  http.get(`/api/v1/auth/${name}`, () => json([])),
);
const toggle = () => screen.findByRole('switch', { name: 'Replies in your threads' });

test('email about the community is turned off and on', async () => {
  const sent: unknown[] = [];
  network.use(
    ...others,
    http.put(path, async ({ request }) => {
      const body = (await request.json()) as object;
      sent.push(body);
      return json(body);
    }),
  );
  const { user } = openPortal('/settings');
  expect(await toggle()).toBeChecked();
  await user.click(await toggle());
  await waitFor(async () => expect(await toggle()).not.toBeChecked());
  await user.click(await toggle());
  await waitFor(async () => expect(await toggle()).toBeChecked());
  expect(sent).toEqual([{ isOn: false }, { isOn: true }]);
});

test('a change that fails says so, and the switch stays as it was', async () => {
  network.use(
    ...others,
    http.put(path, () => refusal(503, 'The server is busy')),
  );
  const { user } = openPortal('/settings');
  await user.click(await toggle());
  await expectToast('Not saved');
  expect(await toggle()).toBeChecked();
});
