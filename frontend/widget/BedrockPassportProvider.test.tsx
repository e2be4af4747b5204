import { afterEach, expect, test } from '@jest/globals';
import type { IdentityUser, LoginResult, SiweMessage } from '@orange-id/contract/identity.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { tabParameter } from '@orange-id/contract/tab.marker';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { useLayoutEffect } from 'react';
import { json, network, refusal } from '../src/testing/network';
import { unsignedToken } from '../src/testing/unsigned.token';
import { BedrockPassportProvider } from './BedrockPassportProvider';
import { useBedrockPassport, type Passport } from './passport.context';

const ada: IdentityUser = { id: 'user-1', email: null, displayName: 'Ada' };
const token = unsignedToken(Date.now() + 3_600_000);
const result: LoginResult = {
  user: { id: 'user-1' },
  token: { accessToken: token, refreshToken: 'refresh' },
};
const calls = {
  user: '/api/v1/auth/user',
  widget: '/api/v1/auth/widget',
  logout: '/api/v1/auth/logout',
  login: '/api/v1/auth/email/login',
};

let passport: Passport;
function Probe() {
  const current = useBedrockPassport();
  useLayoutEffect(() => {
    passport = current;
  });
  return (
    <p>
      {current.isReady ? 'ready' : 'asking'}, {current.user?.displayName ?? 'nobody'}
    </p>
  );
}

function openPage({ baseUrl = '', widget = { text: 'By Orange ID', url: 'https://example.com/' } } = {}) {
  network.use(
    http.get(calls.widget, () => json(widget)),
    http.get(calls.user, ({ request }) =>
      request.headers.get('authorization') === `Bearer ${token}` ? json(ada) : refusal(401, 'Unknown token'),
    ),
  );
  render(
    <BedrockPassportProvider baseUrl={baseUrl} authCallbackUrl="http://localhost/back" tenantId="orange">
      <Probe />
    </BedrockPassportProvider>,
  );
}
const says = (text: string) => expect(screen.findByText(text)).resolves.toBeInTheDocument();
const storedToken = () => localStorage.getItem(storageKeys.passportToken);

afterEach(async () => {
  network.use(http.post(calls.logout, () => new HttpResponse(null, { status: 204 })));
  await passport.signOut();
  window.location.hash = '';
});

test('a sign-in by email stores the session and its user, and signing out ends both', async () => {
  const sent: unknown[] = [];
  network.use(
    http.post(calls.login, async ({ request }) => {
      sent.push(await request.json());
      return json(result);
    }),
    http.post(calls.logout, ({ request }) => {
      sent.push(request.headers.get('authorization'));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  openPage();
  await says('ready, nobody');
  expect([passport.isLoggedIn, passport.accessToken]).toEqual([false, undefined]);
  const credentials = { email: 'ada@example.com', password: 'correct horse' };
  expect(await passport.signIn('EMAIL', credentials)).toEqual(result);
  await says('ready, Ada');
  expect([passport.isLoggedIn, passport.accessToken]).toEqual([true, token]);
  expect(storedToken()).toContain(token);
  await passport.signOut();
  await says('ready, nobody');
  expect(passport.isLoggedIn).toBe(false);
  expect(storedToken() ?? '').not.toContain(token);
  expect(sent).toEqual([credentials, `Bearer ${token}`]);
});

test('a sign-in by email without credentials is an error, and one with a provider leaves for its page', async () => {
  openPage();
  await says('ready, nobody');
  await expect(passport.signIn('EMAIL')).rejects.toThrow('signIn("EMAIL") needs { email, password }');
  cleanup();
  // jsdom navigates only within the page.
  network.use(http.get('/', () => json({ text: '', url: '' })));
  openPage({ baseUrl: '#' });
  expect(await passport.signIn('GOOGLE')).toBeUndefined();
  expect(window.location.hash).toMatch(
    new RegExp(`^#/api/v1/auth/GOOGLE\\?state=http://localhost/back&tenantId=orange&.*&${tabParameter}=.+`),
  );
});

test('the callback stores tokens only after the service has confirmed them', async () => {
  openPage();
  await says('ready, nobody');
  expect(await passport.loginCallback('', 'refresh')).toBe(false);
  expect(await passport.loginCallback(token, '')).toBe(false);
  expect(await passport.loginCallback('unknown', 'refresh')).toBe(false);
  expect(storedToken() ?? '').not.toContain('unknown');
  expect(await passport.loginCallback(token, 'refresh')).toBe(true);
  await says('ready, Ada');
});

test('signing out fails if the service can’t be reached, and works if it no longer knows the token', async () => {
  openPage();
  await says('ready, nobody');
  await passport.loginCallback(token, 'refresh');
  network.use(http.post(calls.logout, () => refusal(500, 'Not now')));
  await expect(passport.signOut()).rejects.toMatchObject({ failure: { status: 500 } });
  // The session has ended in this browser in either case.
  expect(passport.isLoggedIn).toBe(false);
  await passport.loginCallback(token, 'refresh');
  network.use(http.post(calls.logout, () => refusal(401, 'Unknown token')));
  await passport.signOut();
  expect(passport.isLoggedIn).toBe(false);
});

test.each([
  [401, 'ready, nobody', false],
  [403, 'ready, nobody', false],
  [503, 'ready, Ada', true],
])('a stored session whose user request returns %i is %s', async (status, text, isLoggedIn) => {
  openPage();
  await says('ready, nobody');
  await passport.loginCallback(token, 'refresh');
  network.use(http.get(calls.user, () => refusal(status, 'No')));
  render(
    <BedrockPassportProvider baseUrl="" authCallbackUrl="http://localhost/back" subscriptionKey="another">
      <Probe />
    </BedrockPassportProvider>,
  );
  await waitFor(() => expect(screen.getAllByText(text)).not.toEqual([]));
  await waitFor(() => expect([passport.isReady, passport.isLoggedIn]).toEqual([true, isLoggedIn]));
});

test('the line under the panel links only to web pages', async () => {
  openPage();
  await waitFor(() =>
    expect([passport.widgetText, passport.widgetUrl]).toEqual(['By Orange ID', 'https://example.com/']),
  );
  cleanup();
  network.use(http.get('/api/v1/message/nonce', () => json({ nonce: '0123456789abcdef' })));
  openPage({ widget: { text: 'By nobody', url: 'javascript:alert(1)' } });
  // A later response: the widget's has arrived by then.
  await passport.getNonce();
  await says('ready, nobody');
  expect([passport.widgetText, passport.widgetUrl]).toEqual([undefined, undefined]);
});

test('a nonce and a verified signature come from the service', async () => {
  network.use(
    http.get('/api/v1/message/nonce', () => json({ nonce: '0123456789abcdef' })),
    http.post('/api/v1/message/verify', async ({ request }) => {
      expect(await request.json()).toEqual({
        message: { address: '0x1' },
        signature: '0xabc',
        tenantId: 'orange',
      });
      return json(result);
    }),
  );
  openPage();
  expect(await passport.getNonce()).toEqual({ nonce: '0123456789abcdef' });
  const message = { address: '0x1' } as unknown as SiweMessage;
  expect(await passport.verifyNonce(message, '0xabc')).toEqual(result);
});
