import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type {
  AccountPreview,
  BedrockRequest,
  BedrockResult,
  ProvenIdentifier,
} from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import type { RewardAnswer } from '@orange-id/contract/rewards.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { markTab, tabParameter } from '@orange-id/contract/tab.marker';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { storeTokens } from '../../api/token.storage';
import { expectToast } from '../../testing/expect.toast';
import { keepProjects } from '../../testing/kept.projects';
import { json, network, refusal, silence, someone } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';
import { unsignedToken } from '../../testing/unsigned.token';

const verification = '/api/auth/bedrock';
const hour = 3_600_000;
const wallet = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';

const ada = unsignedToken(Date.now() + hour, 'ada');
const adaAgain = unsignedToken(Date.now() + 2 * hour, 'ada');
const mallory = unsignedToken(Date.now() + hour, 'mallory');

/** The verified identifiers of the accounts that these tokens sign in to. */
const proven: Record<string, ProvenIdentifier[]> = {
  [mallory]: [{ provider: 'wallet', label: wallet }],
  [ada]: [{ provider: 'email', label: 'ada@example.com' }],
};

/** Requests to the identity service, with the bearer or the body. */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  keepProjects();
  network.use(
    http.get(verification, ({ request }) => {
      const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
      const identifiers = proven[bearer];
      return identifiers
        ? json({ identifiers, createdAt: null } satisfies AccountPreview)
        : refusal(401, 'Unknown');
    }),
    http.post<never, BedrockRequest>(verification, async ({ request }) => {
      asked.push(`verify ${JSON.stringify(await request.json())}`);
      return json({ user: someone, refreshToken: 'renewed' } satisfies BedrockResult);
    }),
    http.put(verification, () => {
      asked.push('bind');
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('/api/v1/auth/logout', ({ request }) => {
      asked.push(`log out ${request.headers.get('authorization')}`);
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/reward/profile', () =>
      json({ rank: 'Observer', rankImage: '/o.svg', experiencePoints: 0 } satisfies RewardAnswer),
    ),
  );
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

/** Opens the callback URL of a sign-in; the page removes the query from the address bar. */
function openCallback(query: Record<string, string>) {
  const portal = openPortal(`/auth/callback?${new URLSearchParams(query)}`, { as: 'visitor' });
  const root = () => document.querySelector<HTMLElement>('[data-machine="callback"]') as HTMLElement;
  return { ...portal, root, callback: portal.machine('callback') };
}

/** Opens the callback URL with the marker of this tab, as a sign-in that this tab started does. */
const comeBack = (token: string, refreshToken = 'brought') =>
  openCallback({ token, refreshToken, [tabParameter]: markTab(Date.now(), sessionStorage) });

/** Opens the callback URL without the marker, as an attacker's link does. */
const follow = (token: string, more: Record<string, string> = {}) =>
  openCallback({ token, refreshToken: 'brought', ...more });

const stored = () => ({ ...localStorage }) as Record<string, string>;
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const question = () => screen.findByRole('heading', { name: 'Is this your account?', level: 1 });
const button = (name: string) => screen.getByRole('button', { name });

describe('tokens of a sign-in that this tab started', () => {
  test('show that they are being checked until the server responds', async () => {
    network.use(http.post(verification, silence));
    const { root } = comeBack(ada);
    expect(await screen.findByRole('heading', { name: 'Signing you in', level: 1 })).toBeInTheDocument();
    expect(root()).toHaveTextContent(/Signing you inChecking your sign-in with Orange ID\.$/);
  });

  test('are stored under three keys once verified, with a new refresh token, and lead home after a second', async () => {
    jest.useFakeTimers({ now: Date.now() });
    const { root, callback, address } = comeBack(ada);
    await callback.is('succeeded');
    expect(window.location.href).toBe('http://localhost/auth/callback');
    expect(asked).toEqual([`verify ${JSON.stringify({ token: ada, refreshToken: 'brought' })}`]);
    expect(stored()).toEqual({
      [storageKeys.accessToken]: ada,
      [storageKeys.refreshToken]: 'renewed',
      [storageKeys.passportToken]: JSON.stringify({
        state: { accessToken: ada, refreshToken: 'renewed' },
        version: 0,
      }),
    });
    await pass(limits.callbackSuccessMs - 100);
    expect(root()).toHaveTextContent('Authentication successful!Redirecting you...');
    await pass(100);
    await callback.is('left');
    expect(address()).toBe('/');
  });

  test('lead to the wizard if a source is stored', async () => {
    localStorage.setItem(storageKeys.source, 'docs');
    const { address } = comeBack(ada);
    await waitFor(() => expect(address()).toBe('/orange-id'));
  });

  describe('after a signed-out user opened the sign-in methods', () => {
    const answerMethods = () =>
      network.use(
        http.get('/api/v1/auth/identifiers', () => json([])),
        http.get('/api/v1/auth/proof', () => json({ provenUntil: null })),
      );
    const openSignIn = async (path: string) => {
      const { machine, close } = openPortal(path, { as: 'visitor' });
      await screen.findByRole('heading', { name: 'Sign in', level: 1 });
      await machine('session').is('signedOut');
      close();
    };

    test('lead to the sign-in methods, even if a source is stored; the next sign-in leads home', async () => {
      answerMethods();
      localStorage.setItem(storageKeys.source, 'docs');
      await openSignIn('/login?from=profile');
      const { address, close } = comeBack(ada);
      await waitFor(() => expect(address()).toBe('/login?from=profile'));
      expect(
        await screen.findByRole('heading', { name: 'Your sign-in methods', level: 1 }),
      ).toBeInTheDocument();
      close();
      localStorage.clear();
      const next = comeBack(ada);
      await waitFor(() => expect(next.address()).toBe('/'));
    });

    test.each([
      '/login',
      '/login?from=//evil.example',
      '/login?from=profile.evil.example&next=//evil.example',
    ])('lead home if the sign-in page was then opened at %s', async (path) => {
      await openSignIn('/login?from=profile');
      await openSignIn(path);
      const { address } = comeBack(ada);
      await waitFor(() => expect(address()).toBe('/'));
    });

    test('lead home if another sign-in is confirmed that this tab did not start', async () => {
      await openSignIn('/login?from=profile');
      const { user, address } = follow(mallory);
      await question();
      await user.click(button('Continue'));
      await waitFor(() => expect(address()).toBe('/'));
    });
  });

  test('lead the signed-in user who adds a sign-in method back to the profile, with a toast about it', async () => {
    network.use(http.get('/api/v1/auth/identifiers', () => json([])));
    storeTokens({ accessToken: ada, refreshToken: 'stored' });
    const { address } = comeBack(adaAgain);
    await waitFor(() => expect(address()).toBe('/profile'));
    await expectToast('Sign-in Method Connected', 'You can now sign in with it.');
    expect(stored()[storageKeys.accessToken]).toBe(adaAgain);
  });

  test.each([
    ['google', 'ada@gmail.com', 'You can now sign in with Google.'],
    ['wallet', `0x${'1'.repeat(40)}`, 'You can now sign in with the wallet 0x11111...11111111.'],
    ['email', 'ada@example.com', 'You can now sign in with your email ada@example.com and password.'],
  ] as const)(
    'of a new %s are followed by a toast that names the method',
    async (provider, label, sentence) => {
      const old = {
        id: '1',
        provider: 'apple',
        label: 'Apple account',
        isVerified: true,
        linkedAt: '2026-01-01',
      };
      const added = { id: '2', provider, label, isVerified: true, linkedAt: '2026-01-02' };
      network.use(http.get('/api/v1/auth/identifiers', () => json([added, old])));
      storeTokens({ accessToken: ada, refreshToken: 'stored' });
      comeBack(adaAgain);
      await expectToast('Sign-in Method Connected', sentence);
    },
  );

  test('replace an expired session without confirmation', async () => {
    const state = { accessToken: unsignedToken(Date.now() - 1_000, 'ada'), refreshToken: 'old' };
    localStorage.setItem(storageKeys.passportToken, JSON.stringify({ state, version: 0 }));
    const { callback } = comeBack(mallory);
    await callback.is('succeeded');
    expect(stored()[storageKeys.accessToken]).toBe(mallory);
  });

  test.each([
    ['rejects them', 'Login callback failed', () => refusal(401, 'No')],
    [
      'cannot verify them now',
      'The service is unavailable right now. Try again in a minute.',
      () => refusal(503, 'Not now'),
    ],
    [
      'does not respond',
      'The server couldn’t be reached. Check your connection and try again.',
      () => HttpResponse.error(),
    ],
  ] as const)(
    'show an error for 3 seconds and are not stored if the server %s',
    async (_, reason, answer) => {
      jest.useFakeTimers({ now: Date.now() });
      network.use(http.post(verification, answer));
      const { root, callback, address } = comeBack(ada);
      await callback.is('failed');
      await pass(limits.callbackFailureMs - 100);
      const next = reason === 'Login callback failed' ? 'Sign in again' : 'Try againSign in again';
      expect(root()).toHaveTextContent(`Authentication failed${reason}Redirecting back to login...${next}`);
      await pass(100);
      expect(address()).toBe('/login');
      expect(stored()).toEqual({});
    },
  );

  test('can be retried while the error is shown, and then sign in', async () => {
    network.use(http.post(verification, () => HttpResponse.error(), { once: true }));
    const { user, address } = comeBack(ada);
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(address()).toBe('/'));
    expect(stored()[storageKeys.accessToken]).toBe(ada);
  });

  test('ask to check this device’s clock if they have expired by it, are not stored, and lead to the sign-in page once', async () => {
    jest.useFakeTimers({ now: Date.now() + 2 * hour });
    const { callback, address, machine } = comeBack(ada);
    await callback.is('failed');
    expect(
      screen.getByText(
        'This device’s clock says the sign-in has already expired. Check the date and time, then sign in again.',
      ),
    ).toBeInTheDocument();
    await pass(limits.callbackFailureMs);
    expect(address()).toBe('/login');
    await pass(30_000);
    expect(address()).toBe('/login');
    await machine('session').is('signedOut');
    expect(stored()).toEqual({});
  });
});

test.each<Record<string, string>>([
  {},
  { token: 'abc' },
  { refreshToken: 'abc' },
  { token: '', refreshToken: 'abc' },
])('a callback with only %j reports the missing parameters and leads to the sign-in page', async (query) => {
  jest.useFakeTimers({ now: Date.now() });
  const { root, callback, address } = openCallback(query);
  await callback.is('failed');
  expect(root()).toHaveTextContent(
    'Authentication failedMissing token or refreshToken in URL parametersRedirecting back to login...',
  );
  await pass(limits.callbackFailureMs);
  expect(address()).toBe('/login');
});

describe('unexpected tokens', () => {
  test.each<[string, boolean, Record<string, string>]>([
    ['in a tab that started no sign-in', false, {}],
    ['in a tab whose own sign-in is pending', true, {}],
    ['with a marker that is not this tab’s', true, { [tabParameter]: 'A'.repeat(22) }],
  ])('need confirmation %s, with the verified identifiers of the account', async (_, isWaiting, more) => {
    if (isWaiting) markTab(Date.now(), sessionStorage);
    const { root } = follow(mallory, more);
    await question();
    expect(
      screen.getByText(
        'This sign-in didn’t start in this tab. If you didn’t start it yourself, choose “Not me”. Someone may be trying to sign you in to their account.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByText('If you continue, you’ll be signed in to the account for:')).toBeInTheDocument();
    expect(within(root()).getByText(wallet)).toBeInTheDocument();
    expect(root()).not.toHaveTextContent('signed out');
    expect(button('Not me')).toHaveFocus();
    expect(button('Not me')).toHaveAccessibleDescription(/^This sign-in didn’t start in this tab\./);
    expect([asked, stored()]).toEqual([[], {}]);
  });

  test.each([
    [null, ''],
    ['2026-03-04T12:00:00.000Z', ', created on 4 Mar 2026'],
  ])('of an account without verified identifiers, created on %s, say so', async (createdAt, day) => {
    network.use(http.get(verification, () => json({ identifiers: [], createdAt } satisfies AccountPreview)));
    follow(mallory);
    await question();
    expect(
      screen.getByText(
        `If you continue, you’ll be signed in to an account without a confirmed email address or wallet${day}.`,
      ),
    ).toBeInTheDocument();
  });

  test('show an error and are not stored if nobody issued them', async () => {
    jest.useFakeTimers({ now: Date.now() });
    const { root, callback, address } = follow(unsignedToken(Date.now() + hour, 'nobody'));
    await callback.is('failed');
    expect(root()).toHaveTextContent('Login callback failed');
    await pass(limits.callbackFailureMs);
    expect(address()).toBe('/login');
    expect([asked, stored()]).toEqual([[], {}]);
  });

  test('are dropped by ‘Not me’, which ends their sign-in and keeps the signed-in user', async () => {
    storeTokens({ accessToken: ada, refreshToken: 'stored' });
    const kept = stored();
    const { user, root, machine, address } = follow(mallory);
    await question();
    expect(screen.getByText('You’ll be signed out of the account for:')).toBeInTheDocument();
    expect(root()).toHaveTextContent('ada@example.com');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(asked).toEqual([`log out Bearer ${mallory}`]));
    await machine('session').is('signedIn.current');
    await waitFor(() => expect(address()).toBe('/'));
    expect(stored()).toEqual(kept);
  });

  test('need confirmation if this tab started a sign-in and another user is signed in here', async () => {
    // The account isn't named: it has no verified identifier, or the service doesn't know it.
    for (const [current, identifiers] of [
      [unsignedToken(Date.now() + hour, 'bare'), []],
      [unsignedToken(Date.now() + hour, 'unknown'), undefined],
    ] as const) {
      if (identifiers) proven[current] = [...identifiers];
      storeTokens({ accessToken: current, refreshToken: 'stored' });
      const kept = stored();
      const { close } = comeBack(mallory);
      await question();
      expect(screen.getByText('You’ll be signed out of your current account.')).toBeInTheDocument();
      expect([asked, stored()]).toEqual([[], kept]);
      close();
    }
  });

  test('need confirmation if the session is stored only in passport-token', async () => {
    const state = { accessToken: ada, refreshToken: 'stored' };
    localStorage.setItem(storageKeys.passportToken, JSON.stringify({ state, version: 0 }));
    const { user, machine } = comeBack(mallory);
    await question();
    expect(screen.getByText('You’ll be signed out of the account for:')).toBeInTheDocument();
    await user.click(button('Not me'));
    await machine('session').is('signedIn.current');
    expect(JSON.parse(stored()[storageKeys.passportToken] ?? '')).toMatchObject({ state });
    expect(asked).toEqual([`log out Bearer ${mallory}`]);
  });

  test('sign in by ‘Continue’ with the keyboard', async () => {
    storeTokens({ accessToken: ada, refreshToken: 'stored' });
    const { user, callback, address } = follow(mallory);
    await question();
    await user.tab();
    expect(button('Continue')).toHaveFocus();
    await user.keyboard('{Enter}');
    await callback.is('succeeded');
    expect(stored()).toMatchObject({ accessToken: mallory, refreshToken: 'renewed' });
    await waitFor(() => expect(address()).toBe('/'));
  });

  test('show that their account is already signed in, and fail if they have been used before', async () => {
    network.use(http.post(verification, () => refusal(401, 'Used')));
    storeTokens({ accessToken: mallory, refreshToken: 'stored' });
    const { user, root, callback } = follow(mallory);
    await question();
    expect(screen.getByText('You’re already signed in to this account.')).toBeInTheDocument();
    await user.click(button('Continue'));
    await callback.is('failed');
    expect(root()).toHaveTextContent('Login callback failed');
    expect(stored()).toMatchObject({ accessToken: mallory, refreshToken: 'stored' });
  });
});

describe('tokens of a deleted account', () => {
  const keptAt = '/api/account/deletion';
  const deletesAt = '2026-01-09T12:00:00.000Z';
  let isDeleted = true;
  beforeEach(() => {
    isDeleted = true;
    network.use(
      http.post<never, BedrockRequest>(verification, () =>
        isDeleted
          ? refusal(403, 'Deleted', 'account.deleted')
          : json({ user: someone, refreshToken: 'renewed' } satisfies BedrockResult),
      ),
      http.post(`${keptAt}/state`, () => json({ deletesAt })),
      http.post(`${keptAt}/keep`, async ({ request }) => {
        asked.push(`keep ${JSON.stringify(await request.json())}`);
        isDeleted = false;
        return new HttpResponse(null, { status: 204 });
      }),
      http.post(`${keptAt}/leave`, async ({ request }) => {
        asked.push(`leave ${JSON.stringify(await request.json())}`);
        return new HttpResponse(null, { status: 204 });
      }),
    );
  });

  test('ask whether to keep it, and sign in once it is kept', async () => {
    const { user, root, callback } = comeBack(ada);
    expect(await screen.findByRole('heading', { name: 'Keep your account?', level: 1 })).toBeVisible();
    expect(root()).toHaveTextContent('Its data is removed on 9 Jan 2026.');
    expect(stored()).toEqual({});
    await user.click(button('Keep my account'));
    await callback.is('succeeded');
    expect(asked).toEqual([`keep ${JSON.stringify({ refreshToken: 'brought' })}`]);
    expect(stored()[storageKeys.refreshToken]).toBe('renewed');
  });

  test('end the session and store nothing if it stays deleted', async () => {
    const { user, address } = comeBack(ada);
    await user.click(await screen.findByRole('button', { name: 'Leave it deleted' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(stored()).toEqual({});
    await waitFor(() => expect(asked).toEqual([`leave ${JSON.stringify({ refreshToken: 'brought' })}`]));
  });

  test('say why it could not be kept, and can be tried again', async () => {
    network.use(http.post(`${keptAt}/keep`, () => refusal(503, 'Busy'), { once: true }));
    const { user, callback } = comeBack(ada);
    await user.click(await screen.findByRole('button', { name: 'Keep my account' }));
    expect(await screen.findByRole('alert')).toBeVisible();
    await user.click(button('Keep my account'));
    await callback.is('succeeded');
  });

  test('that another user may have planted offer nothing', async () => {
    network.use(http.get(verification, () => refusal(403, 'Deleted', 'account.deleted')));
    const { root, callback } = follow(ada);
    await callback.is('failed');
    expect(root()).toHaveTextContent('This account is deleted. To keep it, sign in again.');
    expect(screen.queryByRole('button', { name: 'Keep my account' })).toBeNull();
  });
});
