import { expect, test } from '@jest/globals';
import type { ProjectUser, ProjectUsersMetrics } from '@orange-id/contract/project.users.schema';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { acmeProject } from '../../testing/acme.project';
import { answerLive } from '../../testing/live.connection';
import { json, network, noProjectUsers } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const person = (place: number, changes: Partial<ProjectUser> = {}): ProjectUser => ({
  id: `0190a6c8-0000-7000-8000-00000000000${place}`,
  name: null,
  email: null,
  wallet: null,
  isConnected: true,
  method: 'google',
  platform: 'iPhone',
  region: 'DE',
  firstSeenAt: '2026-01-02T03:04:05.000Z',
  lastSeenAt: '2026-01-03T03:04:05.000Z',
  ...changes,
});
const metrics: ProjectUsersMetrics = {
  ...noProjectUsers,
  totals: { users: 1234, new: 234, returning: 1000, signIns: 5000, total: 9876 },
  series: [{ day: '2026-01-01', new: 234, returning: 1000, total: 9876 }],
  methods: [{ method: 'google', users: 1234 }],
  platforms: [{ platform: 'iPhone', users: 1234 }],
  regions: [
    { region: 'DE', users: 1200 },
    { region: 'ZZ', users: 34 },
  ],
};
const base = `/api/projects/${acmeProject.code}/users`;

/** Opens the project; returns the filters of each request for figures. */
const open = (path = '/projects?project=Acme', users = [person(1)]) => {
  const asked: Record<string, string>[] = [];
  network.use(
    http.get('/devportal/v1/user/projects', () => json([acmeProject])),
    http.get('/api/analytics/metrics', () => HttpResponse.text('unused', { status: 503 })),
    http.get(`${base}/metrics`, ({ request }) => {
      const { from: _from, to: _to, ...filters } = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(filters);
      return json(metrics);
    }),
    http.get(base, () => json({ users, next: null })),
  );
  return { ...openPortal(path), asked };
};
const section = async () => within(await screen.findByRole('region', { name: 'Users' }));

test('a project shows how many people signed in, and lists them by what they consented to', async () => {
  open(undefined, [
    person(1, { name: 'Ada', email: 'ada@example.com' }),
    person(2, { region: 'ZZ', method: 'wallet' }),
    person(3, { isConnected: false }),
  ]);
  const users = await section();
  expect(await users.findByText('1,234', { selector: 'dd *' })).toBeInTheDocument();
  expect(users.getByText('5,000 sign-ins')).toBeInTheDocument();
  const table = within(await users.findByRole('table', { name: '' }));
  const rows = (await table.findAllByRole('row')).slice(1).map(({ textContent }) => textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^Adaada@example\.com.*GoogleiPhoneGermany/),
    expect.stringMatching(/^Person …000002.*WalletiPhoneUnknown/),
    expect.stringMatching(/^Disconnected …000003.*GoogleiPhoneGermany/),
  ]);
  const growth = within(users.getByRole('table', { name: 'Growth' }));
  expect(growth.getAllByRole('row')[1]).toHaveTextContent('1 Jan2341,0009,876');
});

test('a name vanishes from the open page when its person takes it back', async () => {
  const users = [person(1, { name: 'Ada' })];
  const connection = answerLive();
  open(undefined, users);
  const list = await section();
  expect(await list.findByText('Ada')).toBeInTheDocument();
  expect(await list.findByText('Live')).toBeInTheDocument();
  users[0] = person(1, { isConnected: false });
  connection.say('project.changed', { projectId: acmeProject.code, kind: 'consented' });
  expect(await list.findByText('Disconnected …000001')).toBeInTheDocument();
  expect(list.queryByText('Ada')).not.toBeInTheDocument();
});

test('a bar filters the figures, the list and the URL, and a second click removes the filter', async () => {
  const { user, asked } = open();
  const bar = async () => (await section()).findByRole('button', { name: /^Germany/ });
  await user.click(await bar());
  await waitFor(() => expect(asked.at(-1)).toEqual({ region: 'DE' }));
  expect(new URLSearchParams(window.location.search).get('region')).toBe('DE');
  expect(await bar()).toHaveAttribute('aria-pressed', 'true');
  await user.click(await bar());
  await waitFor(() => expect(window.location.search).toBe('?project=Acme'));
});

test('the URL holds range and filters, and what it can’t hold is ignored', async () => {
  const { asked } = open('/projects?project=Acme&users=7d&method=google&platform=DOS&region=de');
  const users = await section();
  expect(await users.findByRole('radio', { name: '7d' })).toBeChecked();
  await waitFor(() => expect(asked.at(-1)).toEqual({ method: 'google' }));
});

test('a project that nobody has signed in to says what to do', async () => {
  network.use(
    http.get('/devportal/v1/user/projects', () => json([acmeProject])),
    http.get('/api/analytics/metrics', () => HttpResponse.text('unused', { status: 503 })),
  );
  openPortal('/projects?project=Acme');
  expect(await (await section()).findByText('Nobody has signed in yet')).toBeInTheDocument();
});

test('figures that fail to load show the error, and load on Retry', async () => {
  const { user } = open();
  let isDown = true;
  network.use(
    http.get(`${base}/metrics`, () => (isDown ? HttpResponse.text('down', { status: 503 }) : json(metrics))),
  );
  const users = await section();
  expect(await users.findByText('Failed to load users')).toBeInTheDocument();
  isDown = false;
  await user.click(users.getByRole('button', { name: 'Retry' }));
  expect(await users.findByText('5,000 sign-ins')).toBeInTheDocument();
});

test('a refused sign-in is among the blocked origins, and Allow asks once more with the whole origin', async () => {
  network.use(
    http.get(`/api/projects/${acmeProject.code}/refusals`, () =>
      json([
        {
          origin: 'https://staging.example.com:8443',
          kind: 'signIn',
          calls: 2,
          lastAt: acmeProject.createdAt,
        },
        {
          origin: 'https://staging.example.com:8443',
          kind: 'callback',
          calls: 1,
          lastAt: acmeProject.createdAt,
        },
        { origin: 'https://acme.example.com', kind: 'signIn', calls: 1, lastAt: acmeProject.createdAt },
      ]),
    ),
  );
  const { user } = open();
  network.use(
    http.get('/api/analytics/metrics', () =>
      json({
        from: acmeProject.createdAt,
        to: acmeProject.createdAt,
        bucketSeconds: 60,
        percentiles: 'exact',
        totals: { calls: 0, errors: 0, blocked: 0, p50: null, p95: null, p99: null },
        series: [],
        endpoints: [],
        statuses: [],
        keys: [],
        origins: [],
        today: { calls: 0, quota: null },
      }),
    ),
  );
  const blocked = within(await screen.findByRole('region', { name: 'Blocked origins' }));
  const row = await blocked.findByRole('listitem');
  expect(row).toHaveTextContent('https://staging.example.com:84432 sign-ins1 callbackAllow');
  await user.click(within(row).getByRole('button'));
  const dialog = await screen.findByRole('dialog', { name: 'Allow https://staging.example.com' });
  expect(dialog).toHaveTextContent('https://staging.example.com');
  expect(dialog).toHaveTextContent('Anyone can make a site appear here. Allow only your own.');
});
