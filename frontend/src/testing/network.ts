import { defaultAppearance } from '@orange-id/contract/appearance';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { ProjectUsersMetrics } from '@orange-id/contract/project.users.schema';
import { http, HttpResponse, ws, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';

/** The default signed-in user, with a profile that the wizard has completed. */
export const someone: IdentityUser = {
  id: 'user-1',
  email: 'ada@example.com',
  displayName: 'Acme Developers',
  emailVerified: true,
};

export const json = (body: JsonBodyType, status = 200) => HttpResponse.json(body, { status });

/** An error response in the backend's format. */
export const refusal = (statusCode: number, message: string, code?: string) =>
  json({ statusCode, message, ...(code ? { code } : {}) }, statusCode);

/** A response that never arrives. */
export const silence = () => new Promise<never>(() => undefined);

/** The figures of a project through which nobody has signed in. */
export const noProjectUsers: ProjectUsersMetrics = {
  from: '2026-01-01',
  to: '2026-01-02',
  bucketDays: 1,
  totals: { users: 0, new: 0, returning: 0, signIns: 0, total: 0 },
  series: [
    { day: '2026-01-01', new: 0, returning: 0, total: 0 },
    { day: '2026-01-02', new: 0, returning: 0, total: 0 },
  ],
  methods: [],
  platforms: [],
  regions: [],
};

/** The live connection: it opens and sends nothing, so that pages stay as they are before the first row. */
export const live = ws.link('ws://localhost/');

/** Default responses to the requests of every signed-in page, for an account without any activity. */
export const network = setupServer(
  live.addEventListener('connection', () => undefined),
  http.get('/api/v1/auth/user', () => json(someone)),
  http.put('/api/auth/bedrock', () => new HttpResponse(null, { status: 204 })),
  http.get('/api/v1/auth/appearance', () => json({ version: 0, appearance: defaultAppearance })),
  http.get('/api/v1/auth/apps', () => json([])),
  http.get('/api/account/archive', () => json({ state: 'none', askedAt: null, expiresAt: null })),
  http.get('/devportal/v1/user/projects', () => json([])),
  http.get('/api/keys', () => json([])),
  http.get('/api/projects/:code/keys', () => json([])),
  http.get('/api/projects/:code/appearance', () => json({ versions: [] })),
  http.get('/api/projects/:code/users', () => json({ users: [], next: null })),
  http.get('/api/projects/:code/users/metrics', () => json(noProjectUsers)),
  http.get('/api/projects/:code/refusals', () => json([])),
  http.get('/api/projects/:code/origins', () => json({ origins: [] })),
  http.get('/api/projects/:code/games', () => json([])),
  http.get('/api/projects/:code/wallets', () => json({ wallets: [], total: 0, next: null })),
  http.get('/api/forum/posts', () => json({ pinned: [], posts: [], next: null, previous: null })),
  http.get('/api/forum/posts/similar', () => json({ posts: [] })),
  http.get('/api/forum/mail', () => json({ isOn: true })),
  http.get('/api/forum/news', () => json({ cursor: 'one_0', changes: [], hasMissed: false })),
  http.get('/api/forum/muted', () => json({ threads: [] })),
  http.get('/api/forum/posts/:id/mute', () => json({ isFollowing: false, isMuted: false })),
  http.get('/api/forum/me', () => json({ canWrite: true, isAdministrator: false })),
  http.get('/api/usage', () => json({ rows: [], next: null })),
  // The URL of the login widget. jsdom loads no scripts, so the widget never loads.
  http.get('/api/v1/settings/version', () =>
    json({ cdnUrl: '/widget/panel.js', cssUrl: '/widget/panel.css' }),
  ),
);

/** Requests without a mocked response; each fails the test. */
export const unanswered: string[] = [];
network.events.on('request:unhandled', ({ request }) => {
  unanswered.push(`${request.method} ${request.url}`);
});
