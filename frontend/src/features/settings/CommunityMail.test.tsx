import { expect, test } from '@jest/globals';
import { somePost } from '@orange-id/contract/forum.fixture';
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

test('muted threads are listed with their posts, and unmuted by keyboard', async () => {
  const [one, two] = [somePost(1), somePost(2)];
  const muted = new Map([
    [one.id, one.title],
    [two.id, ''],
  ]);
  network.use(
    ...others,
    http.get('/api/forum/muted', () =>
      json({ threads: [...muted].map(([postId, title]) => ({ postId, title })) }),
    ),
    http.put('/api/forum/posts/:id/mute', async ({ params, request }) => {
      muted.delete(String(params.id));
      return json({ isFollowing: true, ...((await request.json()) as object) });
    }),
  );
  const { user } = openPortal('/settings');
  expect(await screen.findByRole('link', { name: one.title })).toHaveAttribute(
    'href',
    `/community/posts/${one.id}`,
  );
  screen.getByRole('button', { name: `Unmute ${one.title}` }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('link', { name: one.title })).not.toBeInTheDocument());
  const last = screen.getByRole('button', { name: 'Unmute hidden post' });
  await waitFor(() => expect(last).toHaveFocus());
  await user.click(last);
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Muted threads' })).not.toBeInTheDocument());
});

test('a list of muted threads that fails to load says so, and the switch still works', async () => {
  network.use(
    ...others,
    http.get('/api/forum/muted', () => refusal(503, 'The server is busy')),
  );
  openPortal('/settings');
  expect(await screen.findByText('Failed to load your muted threads')).toBeInTheDocument();
  expect(await toggle()).toBeEnabled();
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
