import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { http, HttpResponse, ws, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';

/** Who is signed in where a test does not say otherwise: a profile as the wizard leaves it. */
export const someone: IdentityUser = {
  id: 'user-1',
  email: 'ada@example.com',
  displayName: 'Acme Developers',
  emailVerified: true,
};

export const json = (body: JsonBodyType, status = 200) => HttpResponse.json(body, { status });

/** An answer as the backend words it when it refuses. */
export const refusal = (statusCode: number, message: string, code?: string) =>
  json({ statusCode, message, ...(code ? { code } : {}) }, statusCode);

/** An answer that never comes, to a request that was sent. */
export const silence = () => new Promise<never>(() => undefined);

/** The live connection: it opens and says nothing, so that every page is as it is before the first row. */
export const live = ws.link('ws://localhost/');

/** What every signed-in page may ask, answered for an account that has done nothing yet. */
export const network = setupServer(
  live.addEventListener('connection', () => undefined),
  http.get('/api/v1/auth/user', () => json(someone)),
  http.put('/api/auth/bedrock', () => new HttpResponse(null, { status: 204 })),
  http.get('/devportal/v1/user/projects', () => json([])),
  http.get('/api/keys', () => json([])),
  http.get('/api/usage', () => json({ rows: [], next: null })),
  // Where the login widget lies: jsdom loads no script, so the widget never comes.
  http.get('/api/v1/settings/version', () =>
    json({ cdnUrl: '/widget/panel.js', cssUrl: '/widget/panel.css' }),
  ),
);

/** What was asked and nothing answers: each is a mistake of the test, which fails for it. */
export const unanswered: string[] = [];
network.events.on('request:unhandled', ({ request }) => {
  unanswered.push(`${request.method} ${request.url}`);
});
