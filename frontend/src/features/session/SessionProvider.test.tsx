import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { answerLive } from '../../testing/live.connection';
import { json, network, refusal, silence, someone } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';
import { unsignedToken } from '../../testing/unsigned.token';

const minute = 60_000;
const calls = {
  user: '/api/v1/auth/user',
  refresh: '/api/v1/auth/refresh',
  passport: '/api/v1/auth/logout',
};
const whatWasTyped = 'Sign in again in this tab to continue where you left off.';

/** The content of the browser's storage. */
const kept = () => ({ ...localStorage }) as Record<string, string>;

/** Stores tokens as another script would: no event notifies this tab. */
function store(accessToken: string, refreshToken: string | null = 'refresh-token'): void {
  localStorage.setItem(
    storageKeys.passportToken,
    JSON.stringify({ state: { accessToken, refreshToken }, version: 0 }),
  );
  if (refreshToken !== null) localStorage.setItem(storageKeys.refreshToken, refreshToken);
  localStorage.setItem(storageKeys.accessToken, accessToken);
}

/** Opens a page with a session that ends in `inMs`, and waits until its user is loaded. */
async function openEnding(inMs: number, refreshToken: string | null = 'refresh-token', path = '/faq') {
  const accessToken = unsignedToken(Date.now() + inMs);
  store(accessToken, refreshToken);
  const portal = openPortal(path, { as: 'stored' });
  await portal.machine('session').is('signedIn.current');
  return { ...portal, accessToken };
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
/** Simulates a sleeping computer: the clock moves on and no timer fires. */
const sleep = (ms: number) => void jest.setSystemTime(Date.now() + ms);

/** The sign-in page's message after a session that ended without a sign-out here. */
const wasSignedOut = 'You were signed out. Sign in again to continue.';

const stay = () => screen.queryByRole('button', { name: 'Stay signed in' });
const title = () => screen.queryByRole('heading', { level: 1 });

/** Holds requests to a path until they are answered, and collects their bearer tokens. */
function hold(address: string) {
  const bearers: (string | null)[] = [];
  const waiting: ((response: Response) => void)[] = [];
  network.use(
    http.post(address, ({ request }) => {
      bearers.push(request.headers.get('authorization'));
      return new Promise<Response>((answer) => waiting.push(answer));
    }),
  );
  return { bearers, answer: (response: Response) => waiting.shift()?.(response) };
}

/** Collects the first argument of every warning. */
function listenToWarnings(): unknown[] {
  const first: unknown[] = [];
  jest.spyOn(console, 'warn').mockImplementation((...said: unknown[]) => void first.push(said[0]));
  return first;
}

async function signOutByMenu(user: ReturnType<typeof openPortal>['user']): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /^Account menu/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
}

beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: true });
  network.use(http.post(calls.passport, () => new HttpResponse(null, { status: 204 })));
});

test('the sign-in page redirects a signed-in user to home, or to the wizard if a source is stored', async () => {
  network.use(http.get('/api/analytics/metrics', silence), http.get('/api/reward/profile', silence));
  const { address, close } = openPortal('/login');
  await waitFor(() => expect(address()).toBe('/'));
  close();
  localStorage.setItem(storageKeys.source, 'docs');
  const again = openPortal('/login');
  await waitFor(() => expect(again.address()).toBe('/orange-id'));
});

test.each([
  ['an expired token', { accessToken: unsignedToken(1_000), 'wagmi.store': '{}' }],
  ['an unreadable token', { accessToken: 'not.a.token', 'wagmi.store': '{}' }],
  ['a passport-token that cannot be parsed', { 'passport-token': '{' }],
])('%s in the storage is cleared, and the page redirects to sign-in', async (_, bad) => {
  for (const [name, value] of Object.entries({ ...bad, refreshToken: 'r', source: 'docs' }))
    localStorage.setItem(name, value);
  const { address } = openPortal('/projects', { as: 'stored' });
  await waitFor(() => expect(address()).toBe('/login'));
  expect(kept()).toEqual({ source: 'docs' });
});

describe('the user request', () => {
  test('without a response delays the page for 15 seconds at most', async () => {
    network.use(http.get(calls.user, silence));
    const { machine } = openPortal('/projects');
    await machine('session').is('loadingUser');
    await pass(14_000);
    await machine('session').is('loadingUser');
    expect(title()).not.toBeInTheDocument();
    await pass(1_000);
    await machine('session').is('signedIn.current');
    await waitFor(() => expect(title()).toHaveTextContent('My Projects'));
  });

  test('times out after 10 seconds and is retried once, 1 second later', async () => {
    const begun: number[] = [];
    // Node's own timer doesn't follow this test's clock.
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      begun.push(Date.now());
      const deadline = new AbortController();
      setTimeout(() => deadline.abort(new DOMException('No answer in time', 'TimeoutError')), ms);
      return deadline.signal;
    });
    const asked: AbortSignal[] = [];
    network.use(
      http.get(calls.user, ({ request }) => {
        asked.push(request.signal);
        return asked.length === 1 ? silence() : json(someone);
      }),
    );
    const { machine } = openPortal('/faq');
    await waitFor(() => expect(asked).toHaveLength(1));
    await pass(8_000);
    expect(asked[0]?.aborted).toBe(false);
    await pass(2_000);
    await waitFor(() => expect(asked[0]?.aborted).toBe(true));
    await pass(1_000);
    await screen.findByRole('button', { name: `Account menu: ${someone.displayName}` });
    await machine('session').is('signedIn.current');
    expect(asked).toHaveLength(2);
    const [first = 0, second = 0] = begun;
    expect(second - first).toBeGreaterThanOrEqual(11_000);
    expect(second - first).toBeLessThan(14_500);
  });

  test.each([401, 403])(
    'answered with %i removes only accessToken and passport-token, and is not repeated',
    async (status) => {
      let asked = 0;
      network.use(
        http.get(calls.user, () => {
          asked += 1;
          return refusal(status, 'no');
        }),
      );
      store(unsignedToken(Date.now() + 60 * minute));
      localStorage.setItem(storageKeys.source, 'docs');
      localStorage.setItem(storageKeys.passportUser, '{}');
      const { address } = openPortal('/projects', { as: 'stored' });
      await waitFor(() => expect(address()).toBe('/login'));
      expect(kept()).toEqual({ refreshToken: 'refresh-token', 'passport-user': '{}', source: 'docs' });
      expect(asked).toBe(1);
    },
  );

  test.each([
    ['answered with 500', () => new HttpResponse('broken', { status: 500 })],
    ['that cannot reach the service', () => HttpResponse.error()],
  ])('%s twice signs nobody out, and the next page requests the user again', async (_, answer) => {
    let asked = 0;
    network.use(
      http.get(calls.user, () => {
        asked += 1;
        return asked > 2 ? json(someone) : answer();
      }),
    );
    const { machine, address, goTo } = openPortal('/projects');
    await waitFor(() => expect(asked).toBe(1));
    await machine('session').is('loadingUser');
    await pass(1_000);
    await machine('session').is('signedIn.current');
    await waitFor(() => expect(title()).toHaveTextContent('My Projects'));
    expect(asked).toBe(2);
    await goTo('/faq');
    await screen.findByRole('button', { name: `Account menu: ${someone.displayName}` });
    expect([address(), asked]).toEqual(['/faq', 3]);
  });
});

describe('signing out manually', () => {
  test.each([
    ['responds', [], () => new HttpResponse(null, { status: 204 })],
    [
      'responds with 500',
      ['Error during Bedrock Passport signOut'],
      () => new HttpResponse('no', { status: 500 }),
    ],
    ['cannot be reached', ['Error during Bedrock Passport signOut'], () => HttpResponse.error()],
  ])(
    'waits for the passport, which %s, then clears the session’s keys and opens sign-in',
    async (_, expected, response) => {
      const warnings = listenToWarnings();
      const passport = hold(calls.passport);
      const { user, address, machine, accessToken } = await openEnding(60 * minute, 'r', '/projects');
      for (const name of ['bedrock-x', 'wagmi.store', '@appkit/y', 'cbwsdk.store', 'passport-user'])
        localStorage.setItem(name, '{}');
      localStorage.setItem(storageKeys.source, 'docs');
      localStorage.setItem(storageKeys.submittedProjects, '[]');
      await signOutByMenu(user);
      await waitFor(() => expect(passport.bearers).toEqual([`Bearer ${accessToken}`]));
      await machine('session').is('endingSession.leaving');
      expect(kept()).toMatchObject({ accessToken, 'wagmi.store': '{}' });
      expect(address()).toBe('/projects');
      expect(warnings).toEqual([]);
      passport.answer(response());
      await waitFor(() => expect(address()).toBe('/login'));
      expect(kept()).toEqual({ source: 'docs', submittedProjects: '[]' });
      expect(warnings).toEqual(expected);
    },
  );

  test('waits 5 seconds at most for a passport that never responds', async () => {
    const warnings = listenToWarnings();
    const passport = hold(calls.passport);
    const { user, address, machine } = await openEnding(60 * minute);
    await signOutByMenu(user);
    await waitFor(() => expect(passport.bearers).toHaveLength(1));
    await pass(4_000);
    await machine('session').is('endingSession.leaving');
    await pass(1_000);
    await waitFor(() => expect(address()).toBe('/login'));
    expect(kept()).toEqual({});
    expect(warnings).toEqual(['Error during Bedrock Passport signOut']);
  });
});

describe('the end of a session', () => {
  test("is announced a minute before, is postponed only by 'Stay signed in', and otherwise happens on time", async () => {
    const renewed = unsignedToken(Date.now() + 5 * minute);
    const asked: unknown[] = [];
    network.use(
      http.post(calls.refresh, async ({ request }) => {
        asked.push(await request.json());
        return json({ accessToken: renewed });
      }),
    );
    const { user, address, machine } = await openEnding(3 * minute);
    await pass(1.9 * minute);
    expect(stay()).not.toBeInTheDocument();
    await pass(0.2 * minute);
    expect(screen.getByText(/^Your session ends at \d\d:\d\d:\d\d\.$/)).toBeInTheDocument();
    expect(asked).toEqual([]);

    await user.click(screen.getByRole('button', { name: 'Stay signed in' }));
    await machine('session').is('signedIn.current');
    expect(stay()).not.toBeInTheDocument();
    expect(asked).toEqual([{ refreshToken: 'refresh-token' }]);
    expect(kept()).toMatchObject({ accessToken: renewed, refreshToken: 'refresh-token' });

    await pass(2.9 * minute);
    await waitFor(() => expect(address()).toBe('/login'));
    await expectToast('Session Expired', 'Your session has expired. Redirecting to login...');
    expect(kept()).toEqual({});
    expect(asked).toHaveLength(1);
  });

  test('without a refresh token comes a minute early: first the storage is cleared, then the passport is called, then sign-in opens', async () => {
    const warnings = listenToWarnings();
    const passport = hold(calls.passport);
    localStorage.setItem('wagmi.store', '{}');
    localStorage.setItem(storageKeys.source, 'docs');
    const { address, machine, accessToken } = await openEnding(2 * minute, null, '/projects');
    await pass(0.9 * minute);
    await machine('session').is('signedIn.current');
    await pass(0.1 * minute);
    await machine('session').is('endingSession.expired');
    await waitFor(() => expect(passport.bearers).toEqual([`Bearer ${accessToken}`]));
    expect(kept()).toEqual({ source: 'docs' });
    expect(address()).toBe('/projects');
    await expectToast('Session Expired');
    expect(stay()).not.toBeInTheDocument();
    passport.answer(new HttpResponse(null, { status: 204 }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(warnings).toEqual([]);
  });

  test('during the computer’s sleep opens sign-in as soon as the tab is visible again', async () => {
    const { address } = await openEnding(60 * minute);
    sleep(180 * minute);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(address()).toBe('/login'));
    await expectToast('Session Expired', 'Your session has expired. Redirecting to login...');
    expect(kept()).toEqual({});
  });

  test('stays announced after the refresh is refused; an error shows, and a second click tries again', async () => {
    let asked = 0;
    network.use(
      http.post(calls.refresh, () => {
        asked += 1;
        return refusal(401, 'no');
      }),
    );
    const { user, address, machine } = await openEnding(2 * minute);
    await pass(1.1 * minute);
    for (const times of [1, 2]) {
      await user.click(screen.getByRole('button', { name: 'Stay signed in' }));
      await waitFor(() => expect(asked).toBe(times));
      await screen.findByText(
        /^We couldn’t extend your session\. It ends at \d\d:\d\d:\d\d\. Try again or save your work\.$/,
      );
      await machine('session').is('signedIn.expiring');
    }
    await pass(minute);
    await waitFor(() => expect(address()).toBe('/login'));
    expect(kept()).toEqual({});
    expect(asked).toBe(2);
  });

  test('is postponed by a renewal that fired no event, found before the warning and before the end', async () => {
    const { machine } = await openEnding(2 * minute);
    store(unsignedToken(Date.now() + 4 * minute));
    await pass(1.1 * minute);
    await machine('session').is('signedIn.current');
    expect(stay()).not.toBeInTheDocument();
    await pass(2 * minute);
    await machine('session').is('signedIn.expiring');
    const last = unsignedToken(Date.now() + 4 * minute);
    store(last);
    await pass(minute);
    await machine('session').is('signedIn.current');
    expect(kept()).toMatchObject({ accessToken: last });
  });

  test('keeps a sign-in that fired no event and was stored while waiting for the passport', async () => {
    const passport = hold(calls.passport);
    const { address, machine } = await openEnding(2 * minute);
    await pass(2 * minute);
    await waitFor(() => expect(passport.bearers).toHaveLength(1));
    expect(kept()).toEqual({});
    const next = unsignedToken(Date.now() + 60 * minute, 'user-2');
    store(next, 'refresh-token-2');
    passport.answer(new HttpResponse(null, { status: 204 }));
    await machine('session').is('signedIn.current');
    expect(kept()).toMatchObject({ accessToken: next, refreshToken: 'refresh-token-2' });
    expect(address()).toBe('/faq');
  });

  test('follows from the refusal of a renewed token that fired no event', async () => {
    const { say } = answerLive();
    const { machine } = await openEnding(60 * minute);
    await machine('realtime').is('live');
    const next = unsignedToken(Date.now() + 90 * minute);
    const bearers: (string | null)[] = [];
    network.use(
      http.get(calls.user, ({ request }) => {
        bearers.push(request.headers.get('authorization'));
        return refusal(401, 'no');
      }),
    );
    store(next);
    // The user is requested again, with the stored token, which this tab has not taken over yet.
    say('session.ended', { reason: 'signedOut' });
    await machine('session').is('signedOut');
    expect(bearers).toEqual([`Bearer ${next}`, `Bearer ${next}`]);
    expect(kept()).toEqual({ refreshToken: 'refresh-token' });
  });

  test('moves with the clock if that is set back in the last minute', async () => {
    const { address, machine } = await openEnding(2 * minute);
    await pass(1.5 * minute);
    await machine('session').is('signedIn.expiring');
    sleep(-1.5 * minute);
    await pass(0.6 * minute);
    await machine('session').is('signedIn.expiring');
    await pass(1.5 * minute);
    await waitFor(() => expect(address()).toBe('/login'));
    expect(kept()).toEqual({});
  });

  test('in another tab shows a message that says so and opens sign-in', async () => {
    const { address } = await openEnding(60 * minute, 'r', '/projects');
    localStorage.clear();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: null })));
    await waitFor(() => expect(address()).toBe('/login'));
    await expectToast('Signed Out', `You signed out in another tab, or your session ended. ${whatWasTyped}`);
  });

  test.each([
    [
      'shows a message that says so and opens sign-in',
      { after: 0, path: '/projects', then: '/login' },
      ['Signed Out', `Your session was ended from another device, or it expired. ${whatWasTyped}`],
    ],
    [
      'leaves a public page open',
      { after: 0, path: '/faq', then: '/faq' },
      ['Signed Out', `Your session was ended from another device, or it expired. ${whatWasTyped}`],
    ],
    [
      'in the last minute is shown as expired, because the service’s clock may be ahead',
      { after: 0.9 * minute, path: '/projects', then: '/login' },
      ['Session Expired', 'Your session has expired. Redirecting to login...'],
    ],
  ] as const)('announced by the service %s', async (_, { after, path, then }, words) => {
    const { say } = answerLive();
    const { address, machine } = await openEnding(1.8 * minute, 'r', path);
    await machine('realtime').is('live');
    await pass(after);
    network.use(http.get(calls.user, () => refusal(401, 'no')));
    say('session.ended', { reason: 'signedOut' });
    await expectToast(words[0], words[1]);
    await waitFor(() => expect(address()).toBe(then));
    await machine('session').is('signedOut');
    expect(kept()).toEqual({ refreshToken: 'r' });
    if (then === '/login') expect(await screen.findByText(wasSignedOut)).toBeInTheDocument();
  });
});

describe('the sign-in page', () => {
  test('says that the session ended until the next sign-in, also after the toast is gone', async () => {
    const { address, goTo, machine, user } = await openEnding(3 * minute);
    await pass(3 * minute);
    await waitFor(() => expect(address()).toBe('/login'));
    await pass(limits.toastMs + 1_000);
    expect(screen.getByText(wasSignedOut)).toBeInTheDocument();
    store(unsignedToken(Date.now() + 60 * minute));
    await goTo('/faq');
    await machine('session').is('signedIn.current');
    await signOutByMenu(user);
    await waitFor(() => expect(address()).toBe('/login'));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
    expect(screen.queryByText(wasSignedOut)).not.toBeInTheDocument();
  });

  test('says that the session ended if a stored session has expired or its token is refused', async () => {
    store(unsignedToken(1_000));
    const expired = openPortal('/projects', { as: 'stored' });
    expect(await screen.findByText(wasSignedOut)).toBeInTheDocument();
    expired.close();
    network.use(http.get(calls.user, () => refusal(401, 'no')));
    store(unsignedToken(Date.now() + 60 * minute));
    openPortal('/projects', { as: 'stored' });
    expect(await screen.findByText(wasSignedOut)).toBeInTheDocument();
  });

  test('does not say that the session ended to a visitor or after a manual sign-out', async () => {
    const visit = openPortal('/projects', { as: 'visitor' });
    await screen.findByRole('heading', { name: 'Sign in', level: 1 });
    expect(screen.queryByText(wasSignedOut)).not.toBeInTheDocument();
    visit.close();
    const { user, address } = await openEnding(60 * minute);
    await signOutByMenu(user);
    await waitFor(() => expect(address()).toBe('/login'));
    await screen.findByRole('heading', { name: 'Sign in', level: 1 });
    expect(screen.queryByText(wasSignedOut)).not.toBeInTheDocument();
  });
});
