import { expect, jest } from '@jest/globals';
import type {
  AccountChange,
  ActiveSession,
  IdentityUser,
  SignInMethod,
} from '@orange-id/contract/identity.schema';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import type { Project } from '@orange-id/contract/projects.schema';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageKey, UsageMetrics } from '@orange-id/contract/usage.schema';
import { screen, waitFor } from '@testing-library/react';
import type { ConnectedApp } from '@orange-id/contract/tenant.schema';
import { http } from 'msw';
import { json, network, refusal, silence, someone } from './network';
import { openPortal } from './open.portal';
import { rendered } from './turn.channel';

const now = Date.parse('2026-03-04T12:00:00.000Z');
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
const noActivity = { calls: 0, errors: 0, blocked: 0, p50: null, p95: null, p99: null };

/** Mocks the service for an account that uses everything. */
export function answerForFullAccount(): void {
  const user: IdentityUser = {
    ...someone,
    name: 'Ada',
    firstName: 'Ada',
    userName: 'ada',
    bio: 'One\nTwo',
    country: 'Iceland',
    ethAddress: '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e',
    createdAt: ago(9_000),
    picture: '/pictures/ada.webp',
  };
  const method = (provider: SignInMethod['provider'], label: string): SignInMethod => ({
    id: provider,
    provider,
    label,
    isVerified: true,
    linkedAt: ago(2_000),
  });
  const sessions: ActiveSession[] = ['Chrome on Linux', 'Safari on iPhone'].map((device, place) => ({
    id: device,
    provider: 'email',
    device,
    isCurrent: place === 0,
    signedInAt: ago(50),
    lastUsedAt: ago(place * 30),
  }));
  const change: AccountChange = {
    id: 'change',
    kind: 'passwordChanged',
    provider: null,
    label: null,
    device: 'Chrome on Linux',
    at: ago(40),
  };
  const projects: Project[] = ['Acme', 'Beta'].map((projectName, place) => ({
    id: `id-${place}`,
    code: `orange-000000000${place}`,
    projectName,
    apiKey: `oid_${String(place).padStart(33, 'k')}`,
    urls: ['https://app.example.org', 'http://localhost:3000'],
    createdAt: ago(500 - place),
    lastUpdatedAt: ago(400 - place),
  }));
  const keys: SavedKey[] = [
    {
      ...unusedKey,
      createdAt: ago(100),
      lastUsed: ago(1),
      callsToday: 12,
      rateLimit: 5,
      expiresAt: ago(-48),
    },
    { ...unusedKey, id: 'key-2', name: 'Cron', key: `oid_${'m'.repeat(33)}`, createdAt: ago(90) },
  ];
  const usageKeys: UsageKey[] = projects.map(({ id, code, projectName }, place) => ({
    id,
    name: projectName,
    prefix: 'oid_',
    last4: `000${place}`,
    projectId: code,
    isActive: true,
  }));
  const metrics: UsageMetrics = {
    from: ago(24),
    to: ago(0),
    bucketSeconds: 900,
    percentiles: 'exact',
    totals: { calls: 1234, errors: 12, blocked: 3, p50: 1.2, p95: 34.5, p99: 210 },
    series: [{ at: ago(2), calls: 1234, errors: 12, serverErrors: 2, blocked: 3 }],
    endpoints: [{ endpoint: '/api/v1/key', method: 'GET', calls: 1234 }],
    statuses: [
      { statusCode: 200, calls: 1222 },
      { statusCode: 403, calls: 12 },
    ],
    keys: [{ keyId: 'id-0', calls: 1234 }],
    origins: [{ origin: 'https://app.example.org', calls: 3 }],
    today: { calls: 1234, quota: 5000 },
  };
  const rows = [
    usageRowOf(3, { keyId: 'id-0', projectId: 'orange-0000000000', timestamp: ago(0.01) }),
    usageRowOf(2, {
      keyId: 'id-0',
      timestamp: ago(1),
      statusCode: 500,
      outcome: 'error',
      errorCode: 'chain.unavailable',
    }),
    usageRowOf(1, {
      keyId: 'id-1',
      timestamp: ago(2),
      statusCode: 403,
      outcome: 'blocked',
      errorCode: 'key.originRefused',
      origin: 'https://elsewhere.example.com',
    }),
  ];
  network.use(
    http.get('/api/v1/auth/user', () => json(user)),
    http.get('/api/reward/profile', () => json({ rank: 'Builder', rankImage: null, experiencePoints: 1500 })),
    http.get('/api/v1/auth/identifiers', () =>
      json([method('email', 'ada@example.com'), method('google', 'ada@example.org')]),
    ),
    http.get('/api/v1/auth/proof', () => json({ provenUntil: ago(-1) })),
    http.get('/api/v1/auth/sessions', () => json(sessions)),
    http.get('/api/v1/auth/apps', () =>
      json([
        {
          id: 'connection-1',
          projectId: 'orange-abcdefghij',
          name: 'Acme Games',
          previousName: null,
          origins: ['https://app.example.com'],
          site: 'https://app.example.com',
          connectedAt: ago(48),
          lastUsedAt: ago(1),
          claims: ['name', 'email'],
        },
      ] satisfies ConnectedApp[]),
    ),
    http.get('/api/v1/auth/changes', () => json([change])),
    http.get('/devportal/v1/user/projects', () => json(projects)),
    http.get('/api/keys', () => json(keys)),
    http.get('/api/projects/:code/keys', () => json(keys.slice(1))),
    http.get('/api/usage', () => json({ rows, next: null })),
    http.get('/api/usage/keys', () => json(usageKeys)),
    http.get('/api/analytics/metrics', () => json(metrics)),
  );
}

/** Mocks the service for an account without any activity. */
function answerForNewAccount(): void {
  const metrics = { ...noActivity, from: ago(24), to: ago(0), bucketSeconds: 900, percentiles: 'exact' };
  network.use(
    http.get('/api/reward/profile', () => json({})),
    http.get('/api/v1/auth/identifiers', () => json([])),
    http.get('/api/v1/auth/proof', () => json({ provenUntil: null })),
    http.get('/api/v1/auth/sessions', () => json([])),
    http.get('/api/v1/auth/changes', () => json([])),
    http.get('/api/usage/keys', () => json([])),
    http.get('/api/analytics/metrics', () =>
      json({
        ...metrics,
        totals: noActivity,
        series: [],
        endpoints: [],
        statuses: [],
        keys: [],
        origins: [],
        today: { calls: 0, quota: null },
      }),
    ),
  );
}

/** Mocks a service that responds to everything but the session with 503. */
function answerWithErrors(): void {
  const fail = () => refusal(503, 'Not now');
  network.use(http.get('/api/*', fail), http.get('/devportal/*', fail));
  network.use(http.get('/api/v1/auth/user', () => json(someone)));
}

/** Mocks a service that has loaded the user's session and then never responds. */
function answerNothing(): void {
  network.use(http.get('/api/*', silence), http.get('/devportal/*', silence));
  network.use(http.get('/api/v1/auth/user', () => json(someone)));
}

const answers = {
  visitor: () => undefined,
  'full account': answerForFullAccount,
  'new account': answerForNewAccount,
  errors: answerWithErrors,
  'no responses': answerNothing,
};
/** A kind of account, or of a service, that a page is opened with. */
export type Account = keyof typeof answers;

/** Sets the date to the one that the accounts' data was made for, and stops it. Timers keep running. */
export function stopDate(): void {
  jest.useFakeTimers({
    now,
    doNotFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
      ...(['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const),
      ...(['performance', 'requestAnimationFrame', 'cancelAnimationFrame'] as const),
    ],
  });
}

/** Opens a page and waits for its data. The login pages and `/api` keep waiting for scripts that jsdom does not load. */
export async function openAs(path: string, account: Account) {
  answers[account]();
  const portal = openPortal(path, { as: account === 'visitor' ? 'visitor' : 'developer' });
  const isEndless = account === 'no responses' || ['/login', '/login?from=profile', '/api'].includes(path);
  await waitFor(() => {
    expect(document.querySelector('h1, h2, h3, [role=status]')).toBeInTheDocument();
    if (!isEndless) expect(screen.queryAllByRole('status', { name: /^Loading/ })).toEqual([]);
  });
  await rendered();
  return portal;
}
