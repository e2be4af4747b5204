import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { markTab } from '@orange-id/contract/tab.marker';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { json, network, refusal } from '../src/testing/network';
import { unsignedToken } from '../src/testing/unsigned.token';
import { createOrangeId } from './orange.id';
import type { OrangeIdError, OrangeIdUser } from './orange-id.types';

const portal = 'https://id.example.com';
const projectId = 'orange-a1b2c3d4e5';
const storageKey = `orange-id:${projectId}`;
const look = '/api/v1/auth/appearance/panel';
const at = (path: string) => `${portal}${path}`;
const ada: OrangeIdUser = { id: 'connection-1', displayName: 'Ada' };
const fresh = unsignedToken(Date.now() + 3_600_000);
const stale = unsignedToken(Date.now() + 30_000);
const user = userEvent.setup({ delay: null });

beforeAll(() => {
  // jsdom has no constructable style sheets; the e2e journey shows their effect.
  Object.assign(CSSStyleSheet.prototype, { replaceSync: () => undefined });
});
beforeEach(() => {
  document.body.replaceChildren();
  network.use(
    http.get(at(look), () => json({ methods: ['google', 'apple', 'email', 'wallet'], style: '' })),
    http.get(at('/api/v1/auth/user'), ({ request }) =>
      request.headers.get('authorization') === `Bearer ${fresh}` ? json({ ...ada }) : refusal(401, 'Expired'),
    ),
    http.post(at('/api/v1/auth/logout'), () => new HttpResponse(null, { status: 204 })),
  );
});

const store = (accessToken: string, refreshToken = 'refresh') =>
  localStorage.setItem(storageKey, JSON.stringify({ accessToken, refreshToken }));
const stored = () => JSON.parse(localStorage.getItem(storageKey) ?? 'null') as unknown;

/** A customer's page at this URL; `blocked` if its browser opens no windows. */
function openPage({ url = '/', blocked = false, callback = '' } = {}) {
  window.history.replaceState({ of: 'the site' }, '', url);
  const left: string[] = [];
  const opened: string[] = [];
  const own: Record<string, unknown> = {
    location: {
      get href() {
        return window.location.href;
      },
      get search() {
        return window.location.search;
      },
      get hash() {
        return window.location.hash;
      },
      assign: (address: string) => left.push(address),
      reload: () => left.push('reload'),
    },
    open(address: string) {
      opened.push(address);
      return blocked ? null : { closed: false, focus: () => undefined };
    },
  };
  const page = new Proxy(window, {
    get(target, name) {
      if (typeof name === 'string' && name in own) return own[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const orange = createOrangeId({ portal, projectId, callback: callback || null }, page);
  const events: unknown[] = [];
  orange.on('signin', ({ displayName }) => events.push(`signin ${displayName}`));
  orange.on('signout', () => events.push('signout'));
  orange.on('error', ({ code }) => events.push(`error ${code}`));
  const query = () => new URL(String(left.at(-1) ?? opened.at(-1))).searchParams;
  const send = (message: object, origin = portal) =>
    window.dispatchEvent(
      new MessageEvent('message', { origin, data: { tab: query().get('tab'), ...message } }),
    );
  return { orange, events, left, opened, query, send };
}
const shadow = (host: Element) => within(host.firstElementChild?.shadowRoot as unknown as HTMLElement);
const place = () => document.body.appendChild(document.createElement('div'));
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    ({ code, message }: OrangeIdError) => `${code}: ${message}`,
  );

test('a sign-in in the window stores the tokens for this project, reads the user and emits signin', async () => {
  const { orange, events, query, send } = openPage({ url: '/shop?page=2#top' });
  const signedIn = orange.signIn({ method: 'wallet' });
  expect(Object.fromEntries(query())).toMatchObject({
    tenantId: projectId,
    callback: 'http://localhost/shop',
    display: 'popup',
    method: 'wallet',
  });
  send({ type: 'orange-id.signin', token: 'planted', refreshToken: 'planted' }, 'https://evil.example');
  send({ type: 'orange-id.signin', token: fresh, refreshToken: 'refresh' });
  expect(await signedIn).toEqual(ada);
  expect(stored()).toEqual({ accessToken: fresh, refreshToken: 'refresh' });
  expect(events).toEqual(['signin Ada']);
  expect(await orange.getAccessToken()).toBe(fresh);
  // A handler that is added later learns it too.
  await new Promise<void>((resolve) => void orange.on('signin', () => resolve()));
});

test('a sign-in in the same tab restores the query and fragment of the page that it left', async () => {
  const { orange, query } = openPage({ blocked: true, url: '/shop?page=2&error=none#top' });
  void orange.signIn();
  expect(query().get('callback')).toBe('http://localhost/shop');
  const back = openPage({ url: `/shop?token=${fresh}&refreshToken=refresh&tab=${query().get('tab')}` });
  expect(window.location.href).toBe('http://localhost/shop?page=2&error=none#top');
  // What the server returned is for the callback, without the query.
  expect([back.left, stored()]).toEqual([['reload'], { accessToken: fresh, refreshToken: 'refresh' }]);
  openPage({ url: `/shop?token=${fresh}&refreshToken=planted&tab=${query().get('tab')}` });
  expect(window.location.href).toBe('http://localhost/shop');
});

test('without a connection no window opens, and the error says why', async () => {
  const { orange, opened } = openPage();
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  try {
    expect(await failure(orange.signIn())).toMatch(/^unreachable: https:\/\/id\.example\.com didn’t respond/);
    expect(opened).toEqual([]);
  } finally {
    online.mockRestore();
  }
});

test('a cancelled sign-in rejects and stores nothing', async () => {
  const { orange, events, send } = openPage();
  const signedIn = orange.signIn();
  send({ type: 'orange-id.cancelled' });
  expect(await failure(signedIn)).toBe('cancelled: The sign-in was cancelled.');
  expect([stored(), events]).toEqual([null, []]);
});

test('if windows are blocked, the sign-in leaves this page and its callback signs in', async () => {
  const { orange, left, query } = openPage({ blocked: true, callback: 'http://localhost/after' });
  void orange.signIn();
  expect(left).toHaveLength(1);
  expect([query().get('display'), query().get('callback')]).toEqual(['page', 'http://localhost/after']);
  const back = openPage({
    url: `/after?token=${fresh}&refreshToken=refresh&tab=${query().get('tab')}`,
  });
  // At once, before anything else on the page can read them.
  expect(window.location.href).toBe('http://localhost/after');
  expect(window.history.state).toEqual({ of: 'the site' });
  await waitFor(() => expect(back.events).toEqual(['signin Ada']));
  expect(stored()).toEqual({ accessToken: fresh, refreshToken: 'refresh' });
});

test.each([
  ['no sign-in began in this tab', () => '&tab=AAAAAAAAAAAAAAAAAAAAAA'],
  ['they carry no marker', () => (markTab(Date.now(), sessionStorage), '')],
  ['their marker is another one', () => (markTab(Date.now(), sessionStorage), '&tab=AAAAAAAAAAAAAAAAAAAAAA')],
  [
    'the sign-in began more than 30 minutes ago',
    () => `&tab=${markTab(Date.now() - 30 * 60_000, sessionStorage)}`,
  ],
])('tokens in the URL are dropped if %s', async (_, marker) => {
  store(fresh, 'of Ada');
  const { events } = openPage({ url: `/?token=${fresh}&refreshToken=planted${marker()}` });
  expect(window.location.search).toBe('');
  await waitFor(() => expect(events).toEqual(['error unexpectedTokens', 'signin Ada']));
  expect(stored()).toEqual({ accessToken: fresh, refreshToken: 'of Ada' });
});

test('a returning cancellation is an error; parameters of the site itself stay in the URL', async () => {
  const tab = markTab(Date.now(), sessionStorage);
  const { events } = openPage({ url: `/?error=access_denied&tab=${tab}` });
  await waitFor(() => expect(events).toEqual(['error cancelled']));
  expect(window.location.search).toBe('');
  for (const query of ['?token=reset-link', '?error=404&tab=orders', '?refreshToken=x', '?error=x']) {
    openPage({ url: `/${query}` });
    expect(window.location.search).toBe(query);
  }
});

test('a token about to expire is renewed once for all who ask, and the refresh token stays', async () => {
  store(stale);
  const sent: unknown[] = [];
  network.use(
    http.post(at('/api/v1/auth/refresh'), async ({ request }) => {
      sent.push(await request.json(), request.credentials);
      return json({ accessToken: fresh });
    }),
  );
  const { orange, events } = openPage();
  expect(await Promise.all([orange.getAccessToken(), orange.getAccessToken(), orange.getUser()])).toEqual([
    fresh,
    fresh,
    ada,
  ]);
  expect(sent).toEqual([{ refreshToken: 'refresh' }, 'omit']);
  expect(stored()).toEqual({ accessToken: fresh, refreshToken: 'refresh' });
  expect(events).toEqual(['signin Ada']);
});

test('tabs renew one after the other, and the second takes the token of the first', async () => {
  store(stale);
  const requests: string[] = [];
  const locks = {
    async request(name: string, _options: object, work: () => Promise<string>) {
      requests.push(name);
      // Another tab held the lock and has renewed the token.
      store(fresh);
      return work();
    },
  };
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  try {
    const { orange } = openPage();
    expect(await orange.getAccessToken()).toBe(fresh);
    expect(requests).toEqual([storageKey]);
  } finally {
    Reflect.deleteProperty(navigator, 'locks');
  }
});

test('a session that the portal has ended is forgotten and emits signout', async () => {
  store(fresh);
  const { orange, events } = openPage();
  await waitFor(() => expect(events).toEqual(['signin Ada']));
  network.use(
    http.get(at('/api/v1/auth/user'), () => refusal(401, 'Disconnected')),
    http.post(at('/api/v1/auth/refresh'), () => refusal(401, 'The session has ended')),
  );
  expect(await orange.getUser()).toBeNull();
  expect([stored(), events]).toEqual([null, ['signin Ada', 'signout']]);
});

test('a portal that doesn’t respond ends no session', async () => {
  store(stale);
  network.use(http.post(at('/api/v1/auth/refresh'), () => HttpResponse.error()));
  const { orange, events } = openPage();
  expect(await failure(orange.getUser())).toBe(
    'unreachable: https://id.example.com didn’t respond. Check your connection, then try again.',
  );
  await waitFor(() => expect(events).toEqual(['error unreachable']));
  expect(stored()).toEqual({ accessToken: stale, refreshToken: 'refresh' });
});

test('signing out ends the session on the portal with its token and here, also if the portal is unreachable', async () => {
  const sent: unknown[] = [];
  network.use(
    http.post(at('/api/v1/auth/logout'), ({ request }) => {
      sent.push(request.headers.get('authorization'));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  store(fresh);
  const { orange, events } = openPage();
  await waitFor(() => expect(events).toEqual(['signin Ada']));
  await orange.signOut();
  expect([sent, stored(), events]).toEqual([[`Bearer ${fresh}`], null, ['signin Ada', 'signout']]);

  store(fresh);
  network.use(http.post(at('/api/v1/auth/logout'), () => HttpResponse.error()));
  expect(await failure(orange.signOut())).toMatch(/^unreachable/);
  expect(stored()).toBeNull();
});

test('a sign-in and a sign-out in another tab arrive here', async () => {
  const { events } = openPage();
  store(fresh);
  window.dispatchEvent(new StorageEvent('storage', { key: storageKey }));
  await waitFor(() => expect(events).toEqual(['signin Ada']));
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  expect(events).toEqual(['signin Ada', 'signout']);
});

test('the panel offers the portal’s methods, opens the window for one, and then shows who is signed in', async () => {
  network.use(
    http.get(at(look), () =>
      json({
        methods: ['wallet', 'google', 'email'],
        buttons: { wallet: ['Connect Wallet'], google: ['Continue with Google', 'OR'] },
        legal: [[' You agree to the '], ['Terms', 'https://acme.example.com/terms'], ['.']],
        style: '',
      }),
    ),
  );
  const { orange, query, send } = openPage();
  const host = place();
  orange.mount(host, { as: 'panel' });
  const panel = shadow(host);
  await panel.findByRole('heading', { name: 'Sign in' });
  await waitFor(() =>
    expect(panel.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Connect Wallet',
      'Continue with Google',
      'Continue with email',
    ]),
  );
  expect(panel.getByText('OR').nextElementSibling).toHaveTextContent('Continue with Google');
  const terms = panel.getByRole('link', { name: 'Terms' });
  expect(terms).toHaveAttribute('href', 'https://acme.example.com/terms');
  expect(terms.parentElement).toHaveTextContent('You sign in at id.example.com. You agree to the Terms.');
  // It has no field to type a password into.
  expect(panel.queryByRole('textbox')).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Continue with email' }));
  expect(query().get('method')).toBe('email');
  send({ type: 'orange-id.signin', token: fresh, refreshToken: 'refresh' });
  expect(await panel.findByText('Ada')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Sign out' }));
  expect(await panel.findByRole('button', { name: 'Continue with email' })).toBeTruthy();
});

test('the panel wears the project’s look, also once somebody is signed in', async () => {
  const style = '.main{color:#FFFFFF}';
  const sheets: string[] = [];
  jest.spyOn(CSSStyleSheet.prototype, 'replaceSync').mockImplementation((text) => void sheets.push(text));
  network.use(
    http.get(at(look), () =>
      json({
        methods: ['email'],
        title: 'Welcome to',
        logo: { src: at('/pictures/1.webp'), alt: 'Acme' },
        style,
        font: at('/widget/fonts/nunito.css'),
      }),
    ),
  );
  const { orange } = openPage();
  const host = place();
  orange.mount(host, { as: 'panel' });
  const panel = shadow(host);
  expect(await panel.findByRole('heading', { name: 'Welcome to Acme' })).toBeTruthy();
  expect(panel.getByRole('img', { name: 'Acme' })).toHaveAttribute('src', at('/pictures/1.webp'));
  expect(sheets.at(-1)?.endsWith(style)).toBe(true);
  const fonts = () => [...document.head.querySelectorAll('link')].map(({ href }) => href);
  expect(fonts()).toEqual([at('/widget/fonts/nunito.css')]);

  store(fresh);
  sheets.length = 0;
  const again = openPage();
  again.orange.mount(host);
  await waitFor(() => expect(sheets.at(-1)?.endsWith(style)).toBe(true));
});

test('a page whose origin is not allowed is told so before anybody clicks, and may try again', async () => {
  const message = 'http://localhost can’t use sign-in for this project yet.';
  const asked: string[] = [];
  network.use(
    http.get(at(look), ({ request }) => {
      asked.push(new URL(request.url).search);
      return refusal(403, message, 'auth.originNotAllowed');
    }),
  );
  const { orange, opened } = openPage();
  const host = place();
  orange.mount(host);
  const button = shadow(host);
  await waitFor(() => expect(button.getByRole('alert')).toHaveTextContent(message));
  expect(button.queryByRole('button', { name: 'Sign in with Orange ID' })).toBeNull();
  expect(await failure(orange.signIn())).toBe(`originNotAllowed: ${message}`);
  expect(opened).toEqual([]);
  expect(asked).toEqual([`?subscription-key=${projectId}`]);

  network.use(http.get(at(look), () => json({ methods: ['email'], style: '' })));
  await user.click(button.getByRole('button', { name: 'Try again' }));
  expect(await button.findByRole('button', { name: 'Sign in with Orange ID' })).toBeTruthy();
});

test('a failed sign-in by a mounted button shows why and emits error; a closed window shows nothing', async () => {
  const { orange, events, send } = openPage();
  const host = place();
  host.id = 'account';
  const unmount = orange.mount('#account');
  const button = shadow(host);
  const signIn = await button.findByRole('button', { name: 'Sign in with Orange ID' });
  await user.click(signIn);
  send({ type: 'orange-id.cancelled' });
  await waitFor(() => expect(events).toEqual(['error cancelled']));
  expect(button.getByRole('alert')).toHaveTextContent('');
  network.use(http.get(at('/api/v1/auth/user'), () => HttpResponse.error()));
  await user.click(signIn);
  send({ type: 'orange-id.signin', token: fresh, refreshToken: 'refresh' });
  await waitFor(() =>
    expect(button.getByRole('alert')).toHaveTextContent('https://id.example.com didn’t respond.'),
  );
  expect(events).toEqual(['error cancelled', 'error unreachable']);
  unmount();
  expect(host.children).toHaveLength(0);
  expect(() => orange.mount('#nothing')).toThrow('OrangeID.mount found no element #nothing');
});

test('an error before any handler for errors is kept for the first one', async () => {
  window.history.replaceState(null, '', `/?token=${fresh}&refreshToken=planted`);
  const orange = createOrangeId({ portal, projectId }, window);
  const error = await new Promise<OrangeIdError>((resolve) => void orange.on('error', resolve));
  expect(error.code).toBe('unexpectedTokens');
  const again = jest.fn();
  orange.on('error', again);
  await orange.getUser();
  expect(again).not.toHaveBeenCalled();
  expect(screen.queryByRole('button')).toBeNull();
});
