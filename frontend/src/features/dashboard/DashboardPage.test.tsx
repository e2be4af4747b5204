import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { Project } from '@orange-id/contract/projects.schema';
import type { RewardAnswer } from '@orange-id/contract/rewards.schema';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageMetrics, UsageRow } from '@orange-id/contract/usage.schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal, silence, someone } from '../../testing/network';
import { config, openPortal } from '../../testing/open.portal';

const userCall = '/api/v1/auth/user';
const rewardCall = '/api/reward/profile';
const metricsCall = '/api/analytics/metrics';
const projectsCall = '/devportal/v1/user/projects';

/** The user record of somebody who has just registered. */
const newcomer: IdentityUser = { ...someone, displayName: null, emailVerified: false };

const metricsOf = (totals: Partial<UsageMetrics['totals']> = {}): UsageMetrics => ({
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
  bucketSeconds: 900,
  totals: { calls: 0, errors: 0, blocked: 0, p50: null, p95: null, p99: null, ...totals },
  percentiles: 'exact',
  series: [
    {
      at: '2026-01-01T12:00:00.000Z',
      calls: totals.calls ?? 0,
      errors: totals.errors ?? 0,
      serverErrors: 0,
      blocked: totals.blocked ?? 0,
    },
  ],
  endpoints: [],
  statuses: [],
  keys: [],
  origins: [],
  today: { calls: 0, quota: null },
});

/** Mocks the services for an account; by default a new one. */
function answer({
  user = newcomer,
  reward = { rank: 'Observer', rankImage: '/ranks/observer.svg', experiencePoints: 0 },
  metrics = metricsOf(),
  calls = [],
}: { user?: IdentityUser; reward?: RewardAnswer; metrics?: UsageMetrics; calls?: UsageRow[] } = {}): void {
  network.use(
    http.get(userCall, () => json(user)),
    http.get(rewardCall, () => json(reward)),
    http.get(metricsCall, () => json(metrics)),
    http.get('/api/usage', () => json({ rows: calls, next: null })),
  );
}

const card = (name: string) => screen.findByRole('region', { name });
const figureOf = (label: string) =>
  [...document.querySelectorAll('.figure_root')].find((figure) =>
    within(figure as HTMLElement).queryByText(label),
  );
const value = (label: string) => figureOf(label)?.querySelector('.figure_value');
const note = (label: string) => figureOf(label)?.querySelector('.figure_note');
const steps = () => [...document.querySelectorAll<HTMLElement>('.dashboard_step')];
const step = (name: string) => document.querySelector<HTMLElement>(`.dashboard_step[data-step="${name}"]`);

/** Waits until the step of a new user's first call shows as open, which means that the calls have loaded. */
const isRead = () => waitFor(() => expect(step('call')).toHaveAttribute('data-state', 'open'));

beforeEach(() => answer());

test.each(['/', '/dashboard'])(
  '%s shows the welcome, and Learn More opens the external site in a new tab',
  async (path) => {
    openPortal(path);
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Welcome to Orange ID');
    const more = screen.getByRole('link', { name: /^Learn More/ });
    expect(more).toHaveAttribute('href', config.links.learnMore);
    expect(more).toHaveAttribute('target', '_blank');
    expect(more.getAttribute('rel')).toMatch(/noreferrer/);
  },
);

describe('the profile card', () => {
  test("falls back to 'New Observer', a default username and the default picture", async () => {
    const { user } = openPortal('/');
    const profile = within(await card('Profile'));
    expect(await profile.findByRole('heading')).toHaveTextContent('New Observer');
    expect(profile.getByText('@observer')).toBeInTheDocument();
    expect(profile.getByText(newcomer.email ?? '')).toBeInTheDocument();
    expect(profile.getByText(/Email not confirmed\./)).toBeInTheDocument();
    expect(profile.getByRole('link', { name: 'Confirm email' })).toHaveAttribute(
      'href',
      '/settings#confirm-email',
    );
    network.use(http.post('/api/v1/auth/email/confirm/again', () => json({ sent: 1 })));
    await user.click(profile.getByRole('button', { name: 'Send new link' }));
    await expectToast(
      'Link sent',
      `We sent a new link to ${newcomer.email}. It works once and expires in 24 hours.`,
    );
    network.use(
      http.post('/api/v1/auth/email/confirm/again', () => refusal(501, 'No', 'auth.mailNotConfigured')),
    );
    await user.click(profile.getByRole('button', { name: 'Send new link' }));
    await expectToast(
      'Link not sent',
      'This portal can’t send email. Its operator has to set SMTP_URL first.',
    );
    expect(document.querySelector('.dashboard_profile img')).toHaveAttribute('src', '/default-avatar.svg');
  });

  test('shows display name, username and picture, and a letter if the picture fails to load', async () => {
    answer({
      user: {
        ...newcomer,
        displayName: 'Grace Hopper',
        userName: 'grace',
        email: null,
        picture: null,
        photoUrl: '/orange-id.svg',
      },
    });
    openPortal('/');
    const profile = within(await card('Profile'));
    expect(await profile.findByRole('heading')).toHaveTextContent('Grace Hopper');
    expect(profile.getByText('@grace')).toBeInTheDocument();
    expect(profile.getByRole('link', { name: 'Add your email' })).toHaveAttribute('href', '/settings');
    const picture = document.querySelector('.dashboard_profile img');
    expect(picture).toHaveAttribute('src', '/orange-id.svg');
    if (picture) fireEvent.error(picture);
    await waitFor(() =>
      expect(document.querySelector('.dashboard_profile .user-avatar_root')).toHaveTextContent('G'),
    );
    expect(document.querySelector('.dashboard_profile img')).not.toBeInTheDocument();
  });

  test('shows an error with Retry if the profile fails to load', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    network.use(http.get(userCall, () => new HttpResponse('resting', { status: 503 })));
    const { user } = openPortal('/');
    const profile = within(await card('Profile'));
    expect(await profile.findByRole('alert')).toHaveTextContent('Failed to load your profile');
    answer();
    await user.click(profile.getByRole('button', { name: 'Retry' }));
    expect(await profile.findByRole('heading')).toHaveTextContent('New Observer');
  });
});

describe('the rank card', () => {
  const points = () => document.querySelector('.rank-card_points');
  const badge = () => document.querySelector('.rank-card_image');

  test('shows the experience earned and what the next rank requires', async () => {
    answer({ reward: { rank: 'Builder', rankImage: '/ranks/builder.svg', experiencePoints: 10_099 } });
    openPortal('/');
    const rank = within(await card('Rank'));
    expect(await rank.findByRole('heading')).toHaveTextContent('Builder');
    expect(points()).toHaveTextContent(/^100 XP$/);
    expect(badge()).toHaveAttribute('src', '/ranks/builder.svg');
    const progress = rank.getByRole('progressbar', { name: 'Progress to Integrator' });
    expect(progress).toHaveAttribute('aria-valuetext', '150 XP to Integrator');
    expect(rank.getByText('150 XP to Integrator')).toBeInTheDocument();
  });

  test('at the highest rank says so, and its progress is complete', async () => {
    answer({ reward: { rank: 'Pioneer', experiencePoints: 120_000 } });
    openPortal('/');
    const progress = await within(await card('Rank')).findByRole('progressbar', { name: 'Rank' });
    expect(progress).toHaveAttribute('aria-valuetext', 'Highest rank');
    expect(progress).toHaveAttribute('aria-valuenow', '100');
  });

  test("falls back to 'Observer', the default badge and 0 XP", async () => {
    answer({ reward: {} });
    openPortal('/');
    expect(await within(await card('Rank')).findByRole('heading')).toHaveTextContent('Observer');
    expect(badge()).toHaveAttribute('src', '/ranks/default.svg');
    expect(points()).toHaveTextContent(/^0 XP$/);
  });

  test('shows the default badge if the rank’s badge fails to load, and no next rank if another service awards ranks', async () => {
    answer({ reward: { rank: 'Legend', rankImage: '/ranks/gone.png', experiencePoints: 700 } });
    openPortal('/');
    const rank = within(await card('Rank'));
    expect(await rank.findByRole('heading')).toHaveTextContent('Legend');
    expect(points()).toHaveTextContent(/^7 XP$/);
    expect(rank.queryByRole('progressbar')).not.toBeInTheDocument();
    const broken = badge();
    expect(broken).toHaveAttribute('src', '/ranks/gone.png');
    if (broken) fireEvent.error(broken);
    await waitFor(() => expect(badge()).toHaveAttribute('src', '/ranks/default.svg'));
  });

  test('shows the default badge instead of one with a script as its URL', async () => {
    answer({ reward: { rank: 'Builder', rankImage: 'javascript:alert(1)', experiencePoints: 0 } });
    openPortal('/');
    await within(await card('Rank')).findByRole('heading');
    expect(badge()).toHaveAttribute('src', '/ranks/default.svg');
  });

  test('lists what earns XP once the user opens the list', async () => {
    const { user } = openPortal('/');
    const rank = within(await card('Rank'));
    await rank.findByRole('heading');
    expect(rank.getByText('Display name and email added')).not.toBeVisible();
    await user.click(rank.getByText('How to earn XP'));
    expect(rank.getByText('Display name and email added')).toBeVisible();
    expect(rank.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'Display name and email added50 XP',
      'Email confirmed25 XP',
      'Each additional type of sign-in method up to 3×25 XP',
      'First project50 XP',
      'First call50 XP',
      'Each 1,000 calls up to 100×10 XP',
      'Each day with calls up to 60×5 XP',
    ]);
  });

  test("shows 'Failed to fetch reward data: 500' with Retry if the request fails, and the other cards stay", async () => {
    let asked = 0;
    network.use(
      http.get(rewardCall, () => {
        asked++;
        return new HttpResponse('broken', { status: 500 });
      }),
    );
    const { user } = openPortal('/');
    await isRead();
    const rank = within(await card('Rank'));
    const alert = await rank.findByRole('alert');
    expect(alert).toHaveTextContent('Failed to load your rank');
    expect(alert).toHaveTextContent('Failed to fetch reward data: 500');
    expect(value('Calls today')).toHaveTextContent(/^0$/);
    expect(steps()).toHaveLength(3);
    expect(asked).toBe(1);
    answer();
    await user.click(rank.getByRole('button', { name: 'Retry' }));
    expect(await rank.findByRole('heading')).toHaveTextContent('Observer');
  });
});

describe('the live figures', () => {
  test('show zeros and dashes before the first call', async () => {
    openPortal('/');
    await waitFor(() => expect(value('Calls today')).toHaveTextContent(/^0$/));
    expect(note('Calls today')).toHaveTextContent('Since 00:00 UTC');
    expect(value('Errors today')).toHaveTextContent(/^0$/);
    expect(value('p95 today')).toHaveTextContent(/^–$/);
    await waitFor(() => expect(value('Last call')).toHaveTextContent(/^–$/));
    expect(note('Last call')).toHaveTextContent('None yet');
    const calls = within(await card('API calls'));
    expect(
      calls.getByRole('img', { name: 'Last 24 hours: No calls in the last 24 hours' }),
    ).toBeInTheDocument();
    expect(calls.getByRole('link', { name: 'Open Usage' })).toHaveAttribute('href', '/usage');
  });

  test('show the latest call even if earlier blocked calls are stored after it', async () => {
    const now = Date.now();
    answer({
      calls: [
        usageRowOf(6, {
          statusCode: 403,
          outcome: 'blocked',
          calls: 2,
          timestamp: new Date(now - 500).toISOString(),
        }),
        usageRowOf(5, { timestamp: new Date(now).toISOString() }),
      ],
    });
    openPortal('/');
    await waitFor(() => expect(note('Last call')).toHaveTextContent(/^200 OK/));
  });

  test('show calls, errors, blocked calls and p95 of today, and the last call', async () => {
    answer({
      metrics: metricsOf({ calls: 4, errors: 1, blocked: 1, p95: 12.3 }),
      calls: [
        usageRowOf(4, {
          endpoint: '/api/v1/wallet/balance',
          statusCode: 400,
          outcome: 'error',
          timestamp: new Date().toISOString(),
        }),
      ],
    });
    const { user } = openPortal('/');
    await waitFor(() => expect(value('Calls today')).toHaveTextContent(/^4$/));
    expect(value('Errors today')).toHaveTextContent(/^1$/);
    expect(note('Errors today')).toHaveTextContent('25% of calls · 1 blocked');
    expect(value('p95 today')).toHaveTextContent(/ms$/);
    await waitFor(() => expect(note('Last call')).toHaveTextContent('400 Bad Request/api/v1/wallet/balance'));
    expect(value('Last call')).toHaveTextContent(/^(now|\d+ s ago)$/);
    const calls = within(await card('API calls'));
    expect(
      calls.getByRole('img', { name: /^Last 24 hours: 4 calls · peak \d\d:\d\d \S+$/ }),
    ).toBeInTheDocument();
    const last = calls.getByRole('link', { name: /ago|now/ });
    expect(last).toHaveAttribute('href', '/usage?call=4');
    // A Tab focuses the link and shows the exact time.
    calls.getByRole('link', { name: 'Open Usage' }).focus();
    await user.tab();
    expect(last).toHaveFocus();
    expect(await screen.findByRole('tooltip')).toHaveTextContent(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d \S+$/);
  });

  test('show an error with Retry if they fail to load, and rank and steps stay', async () => {
    network.use(
      http.get(metricsCall, () =>
        refusal(503, 'The database can’t be reached. Try again later', 'database.unavailable'),
      ),
    );
    const { user } = openPortal('/');
    await isRead();
    const calls = within(await card('API calls'));
    const alert = await calls.findByRole('alert');
    expect(alert).toHaveTextContent('Failed to load your calls');
    expect(alert).toHaveTextContent('The database can’t be reached. Try again later.');
    expect(within(await card('Rank')).getByRole('heading')).toHaveTextContent('Observer');
    expect(steps()).toHaveLength(3);
    answer({ metrics: metricsOf({ calls: 1 }) });
    await user.click(calls.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(value('Calls today')).toHaveTextContent(/^1$/));
    expect(alert).not.toBeInTheDocument();
  });
});

describe('getting started', () => {
  test('comes first on the page and links to the page of the next step', async () => {
    openPortal('/');
    await isRead();
    const started = await card('Getting started');
    expect(within(started).getByText('1 of 3 done')).toBeInTheDocument();
    expect(steps().map((each) => within(each).getByRole('heading').textContent)).toEqual([
      'Done: Sign in',
      'To do: Create a project',
      'To do: Make your first call',
    ]);
    expect(started.querySelector('.button')).toHaveTextContent(/^Create a project$/);
    const profile = await card('Profile');
    expect(started.compareDocumentPosition(profile)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(step('signIn')?.querySelector('a')).toBeNull();
    const link = step('project')?.querySelector('a');
    expect(link).toHaveTextContent('Create a project');
    expect(link).toHaveAttribute('href', '/orange-id');
    expect(step('call')).toHaveTextContent('You need an API key first, from a project or from API Keys.');
    expect(step('call')?.querySelector('a')).toBeNull();
  });

  test('shows a skeleton while a step loads', async () => {
    network.use(http.get(projectsCall, silence));
    openPortal('/');
    await card('Profile');
    await waitFor(() => expect(step('project')).toHaveAttribute('data-state', 'loading'));
    expect(screen.getByRole('status', { name: 'Loading steps' })).toBeInTheDocument();
  });

  test('shows a step that failed to load as neither done nor open, and Retry reloads it', async () => {
    let asked = 0;
    network.use(
      http.get(projectsCall, () => {
        asked++;
        return new HttpResponse('no', { status: 500 });
      }),
    );
    const { user } = openPortal('/');
    await isRead();
    expect(step('project')).toHaveAttribute('data-state', 'unknown');
    expect(step('project')).toHaveTextContent('Failed to load.');
    expect(asked).toBe(1);
    const retry = within(await card('Getting started')).getByRole('button', { name: 'Retry' });
    await user.click(retry);
    await waitFor(() => expect(asked).toBe(2));
    expect(step('project')).toHaveTextContent('Failed to load.');
    network.use(http.get(projectsCall, () => json([] satisfies Project[])));
    await user.click(retry);
    await waitFor(() => expect(step('project')).toHaveAttribute('data-state', 'open'));
  });
});

test('the dashboard can be used by keyboard, in reading order', async () => {
  const { user, address } = openPortal('/');
  await isRead();
  const rank = within(await card('Rank'));
  await rank.findByRole('heading');
  const confirm = await within(await card('Profile')).findByRole('link', { name: 'Confirm email' });
  screen.getByRole('link', { name: /^Learn More/ }).focus();
  const summary = document.querySelector('.rank-card_earning summary');
  const create = step('project')?.querySelector('a');
  const calls = within(await card('API calls'));
  const send = within(await card('Profile')).getByRole('button', { name: 'Send new link' });
  for (const next of [create, confirm, send, summary, calls.getByRole('link', { name: 'Open Usage' })]) {
    await user.tab();
    expect(next).toHaveFocus();
  }
  await user.tab({ shift: true });
  expect(summary).toHaveFocus();
  network.use(
    http.get('/api/v1/auth/identifiers', () => json([])),
    http.get('/api/v1/auth/sessions', () => json([])),
    http.get('/api/v1/auth/changes', () => json([])),
  );
  await user.tab({ shift: true });
  expect(send).toHaveFocus();
  await user.tab({ shift: true });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/settings'));
});
