import { beforeEach, expect, test } from '@jest/globals';
import { somePost } from '@orange-id/contract/forum.fixture';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { rememberPage } from '../../api/session/left.page';
import { dropTokens, storeTokens } from '../../api/token.storage';
import { answerForFullAccount } from '../../testing/accounts';
import { answerLive } from '../../testing/live.connection';
import { json, network, someone } from '../../testing/network';
import { openPortal, type Portal } from '../../testing/open.portal';
import { rendered } from '../../testing/turn.channel';
import { unsignedToken } from '../../testing/unsigned.token';

beforeEach(() => {
  answerLive();
  answerForFullAccount();
});

/** Signs in as a passport page in this tab does. */
const signIn = (id = someone.id) => {
  network.use(http.get('/api/v1/auth/user', () => json({ ...someone, id })));
  act(() =>
    storeTokens({ accessToken: unsignedToken(Date.now() + 3_600_000), refreshToken: 'refresh-token' }),
  );
};
const isAt = ({ address }: Portal, path: string) => waitFor(() => expect(address()).toBe(path));
const left = () => sessionStorage.getItem('orange-id.left-page');

test.each(['/usage?status=404', '/projects', '/settings'])(
  'a visitor who opens %s returns to it after sign-in, once',
  async (path) => {
    const portal = openPortal(path, { as: 'visitor' });
    await isAt(portal, '/login');
    signIn();
    await isAt(portal, path);
    await portal.goTo('/');
    await rendered();
    expect(portal.address()).toBe('/');
    expect(left()).toBeNull();
  },
);

const post = `/community/posts/${somePost(1).id}`;

test.each([
  ['the notice', 'Sign in'],
  ['the header', 'Login'],
])(
  'a visitor who signs in by the link in %s of a post returns to it, with what was typed',
  async (_, name) => {
    network.use(
      http.get('/api/forum/posts/:id', () => json(somePost(1))),
      http.get('/api/forum/posts/:id/replies', () => json({ replies: [], next: null, previous: null })),
    );
    const portal = openPortal(post, { as: 'visitor' });
    await portal.user.type(await screen.findByRole('textbox', { name: 'Your reply' }), 'It works');
    await portal.user.click(screen.getByRole('link', { name }));
    await isAt(portal, '/login');
    signIn();
    await isAt(portal, post);
    expect(await screen.findByRole('textbox', { name: 'Your reply' })).toHaveValue('It works');
  },
);

test('a visitor who signs in from another public page lands at home', async () => {
  const portal = openPortal('/docs', { as: 'visitor' });
  await portal.user.click(screen.getByRole('link', { name: 'Login' }));
  await isAt(portal, '/login');
  signIn();
  await isAt(portal, '/');
});

test('a user whose session ends returns to the page after sign-in', async () => {
  const portal = openPortal('/usage?status=404');
  await portal.machine('session').is('signedIn.current');
  act(() => dropTokens());
  await isAt(portal, '/login');
  signIn();
  await isAt(portal, '/usage?status=404');
});

test('another user who signs in does not return to the page', async () => {
  const portal = openPortal('/usage?status=404');
  await portal.machine('session').is('signedIn.current');
  act(() => dropTokens());
  await isAt(portal, '/login');
  signIn('somebody-else');
  await isAt(portal, '/');
  await waitFor(() => expect(left()).toBeNull());
});

test('a user who signs out does not return to the page', async () => {
  const portal = openPortal('/usage?status=404');
  await portal.machine('session').is('signedIn.current');
  network.use(http.post('/api/v1/auth/logout', () => json({})));
  portal.machine('session').send({ type: 'session.end' });
  await isAt(portal, '/login');
  expect(left()).toBeNull();
});

test('with a stored source the wizard comes first, and the page is dropped', async () => {
  localStorage.setItem(storageKeys.source, 'docs');
  const portal = openPortal('/usage?status=404', { as: 'visitor' });
  await isAt(portal, '/login');
  signIn();
  await isAt(portal, '/orange-id');
  await waitFor(() => expect(left()).toBeNull());
});

test('a visitor who opens a created project in the wizard returns to it', async () => {
  const portal = openPortal('/orange-id?created=orange-0000000000', { as: 'visitor' });
  await isAt(portal, '/login');
  signIn();
  await screen.findByRole('heading', { name: 'Set up your project' });
  expect(portal.address()).toBe('/orange-id?created=orange-0000000000');
});

test('the page of linking sign-in methods neither remembers a page nor leaves for one', async () => {
  rememberPage('/usage');
  const portal = openPortal('/login?from=profile', { as: 'visitor' });
  signIn();
  await portal.machine('session').is('signedIn.current');
  expect(portal.address()).toBe('/login?from=profile');
  expect(left()).toContain('/usage');
  act(() => dropTokens());
  expect(left()).toContain('"/usage"');
});

test.each([
  '//evil.example/usage',
  'https://evil.example/usage',
  '/\\evil.example',
  '/login?from=profile',
  '/nowhere',
  'usage',
])('a sign-in does not lead to %s', async (path) => {
  sessionStorage.setItem('orange-id.left-page', JSON.stringify({ path, userId: null }));
  const portal = openPortal('/');
  await portal.machine('session').is('signedIn.current');
  await waitFor(() => expect(left()).toBeNull());
  expect(portal.address()).toBe('/');
});
