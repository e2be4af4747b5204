import { beforeEach, expect, jest, test } from '@jest/globals';
import { hostileTexts, scriptsInDocument } from '@orange-id/contract/hostile.text.fixture';
import type {
  AccountChange,
  AccountPreview,
  ActiveSession,
  IdentityUser,
  SignInMethod,
} from '@orange-id/contract/identity.schema';
import { signInMethods } from '@orange-id/contract/sign-in.methods';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import type { Project } from '@orange-id/contract/projects.schema';
import type { RewardAnswer } from '@orange-id/contract/rewards.schema';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageKey, UsageMetrics } from '@orange-id/contract/usage.schema';
import { waitFor } from '@testing-library/react';
import { http } from 'msw';
import { json, network } from '../testing/network';
import { openPortal } from '../testing/open.portal';
import { unsignedToken } from '../testing/unsigned.token';

const at = '2026-01-01T00:00:00.000Z';
/** Text that starts with a scheme, which is harmful as a whole attribute value. */
const script = 'javascript:__ran()';
/** All hostile texts in one. */
const all = hostileTexts.join(' ');

/** Mocks responses with hostile text in every field that can hold text; `name` is the user's name. */
function answer(name: string): void {
  const user: IdentityUser = {
    id: 'user-1',
    email: `${all}@example.com`,
    displayName: name,
    name,
    firstName: name,
    userName: name,
    bio: hostileTexts.join('\n'),
    country: all,
    provider: all,
    ethAddress: all,
    waxAddress: all,
    picture: script,
    photoUrl: script,
    profilePicture: script,
    createdAt: all,
  };
  const reward: RewardAnswer = { rank: all, rankImage: script, experiencePoints: 0 };
  const methods: SignInMethod[] = hostileTexts.flatMap((label, place) =>
    signInMethods.map((provider) => ({
      id: `${provider}-${place}`,
      provider,
      label,
      isVerified: place % 2 === 0,
      linkedAt: at,
    })),
  );
  const sessions: ActiveSession[] = hostileTexts.map((device, place) => ({
    id: device,
    provider: device,
    device,
    signedInAt: at,
    lastUsedAt: at,
    isCurrent: place === 0,
  }));
  const changes: AccountChange[] = hostileTexts.map((label) => ({
    id: label,
    kind: 'methodAdded',
    provider: 'google',
    label,
    device: label,
    at,
  }));
  const projects: Project[] = hostileTexts.map((text) => ({
    id: text,
    code: text,
    projectName: text,
    apiKey: text,
    urls: [...hostileTexts],
    createdAt: at,
    lastUpdatedAt: at,
  }));
  const keys: SavedKey[] = hostileTexts.map((text) => ({
    ...unusedKey,
    id: text,
    name: text,
    key: text,
    createdAt: at,
    lastUsed: at,
  }));
  const usageKeys: UsageKey[] = hostileTexts.map((text) => ({
    id: text,
    name: text,
    prefix: text,
    last4: text,
    projectId: text,
    isActive: true,
  }));
  const metrics: UsageMetrics = {
    from: at,
    to: '2026-01-02T00:00:00.000Z',
    bucketSeconds: 900,
    percentiles: 'exact',
    totals: { calls: 1, errors: 1, blocked: 1, p50: 1, p95: 1, p99: 1 },
    series: [{ at, calls: 1, errors: 1, serverErrors: 0, blocked: 1 }],
    endpoints: hostileTexts.map((text) => ({ endpoint: text, method: text, calls: 1 })),
    statuses: [{ statusCode: 403, calls: 1 }],
    keys: hostileTexts.map((keyId) => ({ keyId, calls: 1 })),
    origins: hostileTexts.map((origin) => ({ origin, calls: 1 })),
    today: { calls: 1, quota: null },
  };
  const rows = hostileTexts.map((text, place) =>
    usageRowOf(hostileTexts.length - place, {
      keyId: text,
      projectId: text,
      endpoint: text,
      method: text,
      origin: text,
      path: text,
      statusCode: 403,
      outcome: 'blocked',
      errorCode: text,
    }),
  );
  network.use(
    http.get('/api/v1/auth/user', () => json(user)),
    http.get('/api/reward/profile', () => json(reward)),
    http.get('/api/v1/auth/identifiers', () => json(methods)),
    http.get('/api/v1/auth/proof', () => json({ provenUntil: '2100-01-01T00:00:00.000Z' })),
    http.get('/api/v1/auth/sessions', () => json(sessions)),
    http.get('/api/v1/auth/changes', () => json(changes)),
    http.get('/api/auth/bedrock', () =>
      json({
        identifiers: methods.map(({ provider, label }) => ({ provider, label })),
        createdAt: at,
      } satisfies AccountPreview),
    ),
    http.get('/devportal/v1/user/projects', () => json(projects)),
    http.get('/api/keys', () => json(keys)),
    http.get('/api/usage', () => json({ rows, next: null })),
    http.get('/api/usage/keys', () => json(usageKeys)),
    http.get('/api/analytics/metrics', () => json(metrics)),
  );
}

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

test.each<[path: string, texts: readonly string[], showsName?: boolean]>([
  ['/profile', hostileTexts, true],
  ['/settings', hostileTexts, true],
  ['/dashboard', hostileTexts.slice(0, 1), true],
  ['/projects', hostileTexts],
  ['/keys', hostileTexts],
  ['/usage', hostileTexts],
  ['/usage?call=3', hostileTexts],
  ['/login?from=profile', hostileTexts],
])('%s shows hostile responses of every service as text', async (path, texts, showsName = false) => {
  for (const name of showsName ? [all, script] : [all]) {
    answer(name);
    const { close } = openPortal(path);
    await waitFor(() => {
      for (const text of showsName ? [name, ...texts] : texts) expect(document.body).toHaveTextContent(text);
    });
    expect(scriptsInDocument()).toEqual([]);
    close();
  }
});

const filters = ['status', 'origin', 'projectId', 'keyId', 'call', 'from'];

test.each([
  ['/usage', (text: string) => `/usage?${filters.map((name) => `${name}=${text}`).join('&')}`],
  ['/login', (text: string) => `/login?from=${text}`],
  ['/nowhere', (text: string) => `/nowhere/${text}?${text}#${text}`],
])('%s opens with hostile text in its URL and contains no script', async (_, path) => {
  for (const text of [all, script]) {
    answer(all);
    const { close } = openPortal(path(encodeURIComponent(text)));
    await waitFor(() => expect(document.querySelector('main h1, main h2')).toBeInTheDocument());
    expect(scriptsInDocument()).toEqual([]);
    close();
  }
});

test('a returning sign-in shows the account’s hostile identifiers as text', async () => {
  answer(all);
  const query = new URLSearchParams({ token: unsignedToken(4e12), refreshToken: all, error: all });
  window.history.replaceState(null, '', `/auth/callback?${query}`);
  openPortal('/auth/callback');
  await waitFor(() => {
    for (const text of hostileTexts) expect(document.body).toHaveTextContent(text);
  });
  expect(scriptsInDocument()).toEqual([]);
});
