import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultAppearance } from '@orange-id/contract/appearance';
import { type MeteredRoute, meteredRoutes } from '@orange-id/contract/metered.routes';
import { SignJWT } from 'jose';
import { SigningKeysService } from '../identity/tokens/signing-keys.service.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';
import { pageOf } from '../testing/tenant.page.js';
import { fromPageOf } from '../testing/two.portals.js';
import { openApiOf } from './openapi.js';

/** Things of an owner that another user tries to reach. */
interface OwnedData {
  owner: SignedUp;
  code: string;
  projectKey: string;
  projectKeyId: string;
  savedKeyId: string;
  sessionId: string;
  /** Of the owner's connection to an app. */
  appId: string;
  postId: string;
  replyId: string;
}

/**
 * A route that only the owner may use: what another user sends to the owner's things, and the response to that user.
 */
interface BearerRoute {
  path?: (owner: OwnedData) => string;
  body?: (owner: OwnedData) => unknown;
  /** Also accepts a token of the same user that was created for another portal. */
  isAnyPortal?: true;
  /** Also accepts a token that was created for the app of a project. */
  isAnyTenant?: true;
  other: (answer: Answer, owner: OwnedData, other: SignedUp) => void;
}

const answers = (status: number, code: string) => (answer: Answer) => {
  expect(answer.status).toBe(status);
  expect(answer.body.code).toBe(code);
};

/** A portal whose users sign in at the portal of these tests. */
const otherPortal = 'https://other.example.com';

/** Public routes. */
const publicRoutes = [
  'GET /*',
  'GET /.well-known/jwks.json',
  'GET /.well-known/openid-configuration',
  'GET /api/config',
  'GET /api/docs',
  'GET /api/docs/',
  'GET /api/docs/portal.css',
  'GET /api/docs/start.js',
  'GET /api/docs/swagger-ui-bundle.js',
  'GET /api/docs/swagger-ui.css',
  'GET /api/forum/news',
  'GET /api/forum/posts',
  'GET /api/forum/posts/:id',
  'GET /api/forum/posts/:id/replies',
  'GET /api/forum/posts/similar',
  // Needs the token of a mail.
  'GET /api/forum/unsubscribe',
  'GET /api/login',
  'GET /api/openapi.json',
  'GET /community',
  'GET /community/posts/:id',
  'GET /docs.md',
  'GET /games-sdk-integration-guide.md',
  'GET /examples/sign-in',
  'GET /examples/sign-in.js',
  'GET /examples/sign-in/:project',
  'GET /llms.txt',
  // Needs the address itself and the cookie or bearer token of the requester.
  'GET /api/usage/exports/:token',
  'GET /api/v1/auth/APPLE',
  // Needs the browser session that began the flow, and the provider's response.
  'GET /api/v1/auth/APPLE/callback',
  'GET /api/v1/auth/GOOGLE',
  'GET /api/v1/auth/GOOGLE/callback',
  // Needs an allowed callback, or only asks what an app sees.
  'GET /api/v1/auth/authorize',
  // Needs the browser session that began the flow.
  'GET /api/v1/auth/consent',
  'GET /api/v1/auth/flows/:id',
  // Needs the token of a link that was sent by email.
  'GET /api/v1/auth/email/confirm',
  'GET /api/v1/auth/email/restore',
  'GET /api/v1/auth/email/password',
  'GET /api/v1/auth/identifier/APPLE',
  'GET /api/v1/auth/identifier/GOOGLE',
  'GET /api/v1/auth/appearance',
  'GET /api/v1/auth/appearance/panel',
  'GET /api/v1/auth/widget',
  'GET /api/v1/message/nonce',
  'GET /api/v1/settings/version',
  // Only outside production, if no email is sent.
  'GET /dev/mailbox',
  // The built-in OpenID provider, outside production.
  'GET /dev/openid/.well-known/openid-configuration',
  'GET /dev/openid/account/:uid',
  'GET /dev/openid/auth',
  'GET /dev/openid/auth/:uid',
  'GET /dev/openid/jwks',
  // An unguessable address.
  'GET /pictures/:file',
  'POST /api/auth/bedrock',
  'POST /api/forum/unsubscribe',
  'POST /api/v1/auth/APPLE/callback',
  // Needs the browser session and the CSRF token of its form.
  'POST /api/v1/auth/consent',
  'POST /api/v1/auth/email/confirm',
  'POST /api/v1/auth/email/restore',
  'POST /api/v1/auth/email/login',
  'POST /api/v1/auth/email/password',
  'POST /api/v1/auth/email/register',
  'POST /api/v1/auth/email/reset',
  // Needs the browser session and the CSRF token of its form.
  'POST /api/v1/auth/identifier/APPLE',
  'POST /api/v1/auth/identifier/GOOGLE',
  // Needs the browser session, and both tokens of a portal session.
  'POST /api/v1/auth/flows/:id',
  'POST /api/v1/auth/refresh',
  // Need the refresh token of a sign-in to a deleted account.
  'POST /api/account/deletion/keep',
  'POST /api/account/deletion/leave',
  'POST /api/account/deletion/state',
  'POST /api/v1/message/verify',
  'POST /dev/openid/account/:uid',
  'POST /dev/openid/token',
  'PUT /api/auth/bedrock',
];

/** For the operator of the portal. */
const operationsRoutes = ['GET /health/live', 'GET /health/ready', 'GET /metrics'];

/** Called by a program with an API key in `X-API-Key`. */
const routeOf = ({ method, path }: MeteredRoute): string => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
const meteredList = Object.values<MeteredRoute>(meteredRoutes);
const keyRoutes = meteredList.map(routeOf);
const playerRoutes = meteredList
  .filter(({ parameters }) => parameters.some((parameter) => parameter.in === 'header'))
  .map(routeOf);

/** For signed-in users; other users' things return 404. */
const bearerRoutes: Record<string, BearerRoute> = {
  'GET /api/v1/auth/user': {
    isAnyTenant: true,
    isAnyPortal: true,
    other: (answer, { owner }, other) => {
      expect(answer.body.id).toBe(other.userId);
      expect(answer.text).not.toContain(owner.email);
    },
  },
  'GET /api/auth/bedrock': {
    other: (answer, { owner }) => {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(owner.email);
    },
  },
  'POST /api/v1/auth/logout': {
    isAnyTenant: true,
    isAnyPortal: true,
    other: (answer) => expect(answer.status).toBe(204),
  },
  'GET /api/v1/auth/identifiers': {
    other: (answer, { owner }) => {
      expect(answer.body).toHaveLength(1);
      expect(answer.text).not.toContain(owner.email);
    },
  },
  'GET /api/account/archive': {
    other: (answer) => expect(answer.body).toEqual({ state: 'none', askedAt: null, expiresAt: null }),
  },
  'GET /api/account/archive/file': { other: answers(404, 'account.archiveMissing') },
  'POST /api/account/archive': {
    other: (answer) => expect(answer.body.state).toBe('preparing'),
  },
  'POST /api/account/deletion': {
    body: ({ owner }) => ({ word: 'delete', userId: owner.userId }),
    // Needs the session of a browser that has confirmed the account first.
    other: answers(403, 'auth.proofRequired'),
  },
  // The id of a password method is that of its account.
  'DELETE /api/v1/auth/identifiers/:id': {
    path: ({ owner }) => `/api/v1/auth/identifiers/${owner.userId}`,
    // Needs the session of a browser that has confirmed the account first.
    other: answers(403, 'auth.proofRequired'),
  },
  'POST /api/v1/auth/identifier/email': {
    body: ({ owner }) => ({
      email: 'taken.over@example.com',
      password: 'a long enough password',
      passwordConfirm: 'a long enough password',
      userId: owner.userId,
    }),
    other: answers(403, 'auth.proofRequired'),
  },
  'POST /api/v1/auth/identifier/wallet': {
    body: ({ owner }) => ({
      message: {
        domain: 'localhost',
        address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        uri: 'http://localhost',
        version: '1',
        chainId: 1,
        nonce: 'unknown-nonce',
        issuedAt: '2026-01-01T00:00:00.000Z',
      },
      signature: '0x12',
      userId: owner.userId,
    }),
    other: answers(403, 'auth.proofRequired'),
  },
  'GET /api/v1/auth/proof': {
    other: (answer) => expect(answer.body).toEqual({ provenUntil: null }),
  },
  'POST /api/v1/auth/proof': {
    body: () => ({ password: 'a long enough password' }),
    other: answers(403, 'auth.browserUnbound'),
  },
  'POST /api/v1/auth/proof/APPLE': { other: answers(403, 'auth.browserUnbound') },
  'POST /api/v1/auth/proof/GOOGLE': { other: answers(403, 'auth.browserUnbound') },
  'GET /api/v1/auth/changes': {
    other: (answer) => expect(answer.body).toEqual([]),
  },
  'GET /api/v1/auth/apps': {
    other: (answer) => expect(answer.body).toEqual([]),
  },
  'PATCH /api/v1/auth/apps/:id': {
    path: ({ appId }) => `/api/v1/auth/apps/${appId}`,
    body: () => ({ claims: ['email'] }),
    other: answers(404, 'auth.appNotFound'),
  },
  'DELETE /api/v1/auth/apps/:id': {
    path: ({ appId }) => `/api/v1/auth/apps/${appId}`,
    other: answers(404, 'auth.appNotFound'),
  },
  'GET /api/v1/auth/sessions': {
    other: (answer, { sessionId }) => {
      expect(answer.body).toHaveLength(1);
      expect(answer.text).not.toContain(sessionId);
    },
  },
  'DELETE /api/v1/auth/sessions/:id': {
    path: ({ sessionId }) => `/api/v1/auth/sessions/${sessionId}`,
    other: answers(404, 'auth.sessionNotFound'),
  },
  'DELETE /api/v1/auth/sessions': {
    other: (answer) => expect(answer.status).toBe(204),
  },
  'POST /api/v1/economy/currency': {
    isAnyTenant: true,
    isAnyPortal: true,
    body: ({ owner }) => ({ titleId: owner.userId, count: 10 }),
    other: (answer) => expect(answer.body).toEqual({ Items: [] }),
  },
  'POST /api/v1/auth/email/confirm/again': {
    other: (answer) => expect(answer.body).toEqual({ sent: 1 }),
  },
  'POST /api/v1/auth/email/change': {
    body: () => ({
      currentPassword: 'not their password',
      password: 'a password of somebody else',
      passwordConfirm: 'a password of somebody else',
    }),
    other: answers(403, 'auth.passwordWrong'),
  },
  'POST /api/v1/user/profile': {
    isAnyPortal: true,
    body: ({ owner }) => ({ displayName: 'Taken over', userId: owner.userId }),
    other: answers(400, 'request.invalid'),
  },
  // Tests of the images themselves are in profile/pictures.
  'POST /api/v1/user/profile/upload': {
    isAnyPortal: true,
    body: ({ owner }) => ({ picture: 'https://taken-over.example.com/x.png', userId: owner.userId }),
    other: answers(415, 'request.typeUnsupported'),
  },
  'POST /devportal/v1/project': {
    body: ({ owner, code }) => ({
      projectName: 'Taken over',
      whitelistURL: ['https://example.com'],
      userId: owner.userId,
      code,
    }),
    other: answers(400, 'request.invalid'),
  },
  'GET /devportal/v1/user/projects': {
    other: (answer) => expect(answer.body).toEqual([]),
  },
  'POST /devportal/v1/project/whitelist-urls': {
    body: ({ owner, code }) => ({
      code,
      projectName: 'Own',
      urls: ['https://taken-over.com'],
      userId: owner.userId,
    }),
    other: answers(404, 'project.notFound'),
  },
  'DELETE /devportal/v1/project/whitelist': {
    body: ({ code }) => ({ code, projectName: 'Own', url: 'https://example.com' }),
    other: answers(404, 'project.notFound'),
  },
  'POST /devportal/v1/project/generateKey': {
    body: () => ({ projectName: 'Own' }),
    other: answers(404, 'project.notFound'),
  },
  'PATCH /api/projects/:code': {
    path: ({ code }) => `/api/projects/${code}`,
    body: () => ({ projectName: 'Taken over' }),
    other: answers(404, 'project.notFound'),
  },
  'DELETE /api/projects/:code': {
    path: ({ code }) => `/api/projects/${code}`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/origins': {
    path: ({ code }) => `/api/projects/${code}/origins`,
    other: answers(404, 'project.notFound'),
  },
  'PUT /api/projects/:code/origins': {
    path: ({ code }) => `/api/projects/${code}/origins`,
    body: () => ({ origins: ['null'] }),
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/appearance': {
    path: ({ code }) => `/api/projects/${code}/appearance`,
    other: answers(404, 'project.notFound'),
  },
  'PUT /api/projects/:code/appearance': {
    path: ({ code }) => `/api/projects/${code}/appearance`,
    body: () => ({ base: 0, appearance: defaultAppearance, preview: null }),
    other: answers(404, 'project.notFound'),
  },
  'POST /api/projects/:code/appearance/picture': {
    path: ({ code }) => `/api/projects/${code}/appearance/picture`,
    body: () => ({}),
    other: answers(415, 'request.typeUnsupported'),
  },
  'GET /api/projects/:code/wallets': {
    path: ({ code }) => `/api/projects/${code}/wallets`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/keys': {
    other: (answer) => expect(answer.body).toEqual([]),
  },
  'POST /api/keys': {
    body: ({ owner }) => ({ name: 'Taken over', userId: owner.userId }),
    other: answers(400, 'request.invalid'),
  },
  'DELETE /api/keys/:id': {
    path: ({ savedKeyId }) => `/api/keys/${savedKeyId}`,
    other: answers(404, 'keys.notFound'),
  },
  'PATCH /api/keys/:id': {
    path: ({ savedKeyId }) => `/api/keys/${savedKeyId}`,
    body: () => ({ name: 'Taken over' }),
    other: answers(404, 'keys.notFound'),
  },
  'POST /api/keys/:id/rotate': {
    path: ({ savedKeyId }) => `/api/keys/${savedKeyId}/rotate`,
    body: () => ({ overlapDays: 7 }),
    other: answers(404, 'keys.notFound'),
  },
  'GET /api/projects/:code/keys': {
    path: ({ code }) => `/api/projects/${code}/keys`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/users': {
    path: ({ code }) => `/api/projects/${code}/users`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/users/metrics': {
    path: ({ code }) => `/api/projects/${code}/users/metrics`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/users/export': {
    path: ({ code }) => `/api/projects/${code}/users/export`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/games': {
    path: ({ code }) => `/api/projects/${code}/games`,
    other: answers(404, 'project.notFound'),
  },
  'POST /api/projects/:code/games': {
    path: ({ code }) => `/api/projects/${code}/games`,
    body: () => ({ name: 'Taken over' }),
    other: answers(404, 'project.notFound'),
  },
  'DELETE /api/projects/:code/games/:game': {
    path: ({ code }) => `/api/projects/${code}/games/own`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/games/:game/leaderboard': {
    path: ({ code }) => `/api/projects/${code}/games/own/leaderboard`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/games/:game/data': {
    path: ({ code }) => `/api/projects/${code}/games/own/data`,
    other: answers(404, 'project.notFound'),
  },
  'PUT /api/projects/:code/games/:game/data': {
    path: ({ code }) => `/api/projects/${code}/games/own/data`,
    body: () => ({ data: 'Taken over', version: 0 }),
    other: answers(404, 'project.notFound'),
  },
  'POST /api/projects/:code/games/:game/scores': {
    path: ({ code }) => `/api/projects/${code}/games/own/scores`,
    body: () => ({ score: 1 }),
    other: answers(404, 'project.notFound'),
  },
  'GET /api/projects/:code/refusals': {
    path: ({ code }) => `/api/projects/${code}/refusals`,
    other: answers(404, 'project.notFound'),
  },
  'POST /api/projects/:code/keys/:id/rotate': {
    path: ({ code, projectKeyId }) => `/api/projects/${code}/keys/${projectKeyId}/rotate`,
    body: () => ({ overlapDays: 7 }),
    other: answers(404, 'project.notFound'),
  },
  'DELETE /api/projects/:code/keys/:id': {
    path: ({ code, projectKeyId }) => `/api/projects/${code}/keys/${projectKeyId}`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/analytics/metrics': {
    path: ({ projectKeyId }) => `/api/analytics/metrics?keyId=${projectKeyId}`,
    other: answers(404, 'keys.notFound'),
  },
  'GET /api/usage': {
    path: ({ code }) => `/api/usage?projectId=${code}`,
    other: answers(404, 'project.notFound'),
  },
  'GET /api/forum/me': {
    other: (answer) => expect(answer.body).toEqual({ canWrite: true, isAdministrator: false }),
  },
  'GET /api/forum/mail': { other: (answer) => expect(answer.body).toEqual({ isOn: true }) },
  'PUT /api/forum/mail': {
    body: () => ({ isOn: false }),
    other: (answer) => expect(answer.body).toEqual({ isOn: false }),
  },
  'GET /api/forum/posts/:id/mute': {
    path: ({ postId }) => `/api/forum/posts/${postId}/mute`,
    other: (answer) => expect(answer.body).toEqual({ isFollowing: false, isMuted: false }),
  },
  'PUT /api/forum/posts/:id/mute': {
    path: ({ postId }) => `/api/forum/posts/${postId}/mute`,
    body: () => ({ isMuted: true }),
    other: (answer) => expect(answer.body).toEqual({ isFollowing: true, isMuted: true }),
  },
  'GET /api/forum/muted': {
    other: (answer) => expect(answer.body).toEqual({ threads: [] }),
  },
  'POST /api/forum/preview': {
    body: () => ({ content: 'Text' }),
    other: (answer) => expect(answer.body).toEqual({ html: '<p>Text</p>\n' }),
  },
  'POST /api/forum/posts': {
    body: ({ owner }) => ({ title: 'Post', content: 'Text', category: 'Bugs', userId: owner.userId }),
    other: answers(400, 'request.invalid'),
  },
  'PATCH /api/forum/posts/:id': {
    path: ({ postId }) => `/api/forum/posts/${postId}`,
    body: () => ({ title: 'Taken over' }),
    other: answers(404, 'forum.postNotFound'),
  },
  'DELETE /api/forum/posts/:id': {
    path: ({ postId }) => `/api/forum/posts/${postId}`,
    other: answers(404, 'forum.postNotFound'),
  },
  'POST /api/forum/posts/:id/resolve': {
    path: ({ postId }) => `/api/forum/posts/${postId}/resolve`,
    body: () => ({ isResolved: true }),
    other: answers(404, 'forum.postNotFound'),
  },
  'POST /api/forum/posts/:id/replies': {
    path: ({ postId }) => `/api/forum/posts/${postId}/replies`,
    body: ({ owner }) => ({ content: 'Text', userId: owner.userId }),
    other: answers(400, 'request.invalid'),
  },
  'PATCH /api/forum/posts/:id/replies/:replyId': {
    path: ({ postId, replyId }) => `/api/forum/posts/${postId}/replies/${replyId}`,
    body: () => ({ content: 'Taken over' }),
    other: answers(404, 'forum.replyNotFound'),
  },
  'DELETE /api/forum/posts/:id/replies/:replyId': {
    path: ({ postId, replyId }) => `/api/forum/posts/${postId}/replies/${replyId}`,
    other: answers(404, 'forum.replyNotFound'),
  },
  'POST /api/forum/posts/:id/report': {
    path: ({ postId }) => `/api/forum/posts/${postId}/report`,
    body: () => ({ reason: 'Spam' }),
    other: (answer) => expect(answer.status).toBe(204),
  },
  'POST /api/forum/posts/:id/moderate': {
    path: ({ postId }) => `/api/forum/posts/${postId}/moderate`,
    body: () => ({ isHidden: true, reason: 'Spam' }),
    other: answers(403, 'forum.administratorRequired'),
  },
  'POST /api/forum/posts/:id/replies/:replyId/moderate': {
    path: ({ postId, replyId }) => `/api/forum/posts/${postId}/replies/${replyId}/moderate`,
    body: () => ({ isHidden: true, reason: 'Spam' }),
    other: answers(403, 'forum.administratorRequired'),
  },
  'GET /api/forum/reports': { other: answers(403, 'forum.administratorRequired') },
  'DELETE /api/forum/reports/:id': {
    path: ({ postId }) => `/api/forum/reports/${postId}`,
    other: answers(403, 'forum.administratorRequired'),
  },
  'GET /api/reward/profile': {
    other: (answer) => expect(answer.body).toMatchObject({ rank: 'Observer', experiencePoints: 0 }),
  },
  'GET /api/usage/keys': {
    other: (answer) => expect(answer.body).toEqual([]),
  },
  'POST /api/usage/exports': {
    body: ({ code }) => ({ format: 'csv', filters: { projectId: code } }),
    other: answers(404, 'project.notFound'),
  },
};

describe('access to the routes', () => {
  let portal: TestApp;
  let belongings: OwnedData;
  let before: unknown;
  beforeAll(async () => {
    portal = await startTestApp({ IDENTITY_CALLBACKS: `${otherPortal}/auth/callback` });
    belongings = await settle(portal);
    before = await ownView(portal, belongings);
  });
  afterAll(() => portal.close());

  test('every route of the application is in this table, and the table names no other', () => {
    const table = [...publicRoutes, ...operationsRoutes, ...Object.keys(bearerRoutes)];
    expect(table.sort()).toEqual(routesOf(portal));
  });

  test('every route for programs and users is in the OpenAPI document, with its authentication', () => {
    const { paths } = openApiOf(portal.app);
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { security?: object[] }>).map(([method, { security = [] }]) => {
        const by = security.flatMap((scheme) => Object.keys(scheme)).join();
        return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')} ${by}`;
      }),
    );
    const pages =
      /^GET \/(\*|api\/docs.*|api\/openapi\.json|community(\/posts\/:id)?|[\w-]+\.md|examples\/.*|llms\.txt|dev\/mailbox)$|^\w+ \/dev\/openid\//;
    const expected = [
      ...[...publicRoutes, ...operationsRoutes]
        .filter((route) => !pages.test(route))
        .map((route) => `${route} `),
      ...keyRoutes.map((route) => `${route} apiKey${playerRoutes.includes(route) ? ',player' : ''}`),
      ...Object.keys(bearerRoutes).map((route) => `${route} bearer`),
    ];
    expect(described.sort()).toEqual(expected.sort());
  });

  const documentedStatuses = (route: string): string[] => {
    const [method, template] = route.toLowerCase().split(' ') as [string, string];
    const { paths } = openApiOf(portal.app);
    const path = Object.keys(paths).find(
      (each) => each.replace(/\{(\w+)\}/g, ':$1').toLowerCase() === template,
    ) as string;
    const item = paths[path] as Record<string, { responses: object }>;
    return Object.keys(item[method]?.responses ?? {});
  };

  describe.each(Object.entries(bearerRoutes))('%s', (name, route) => {
    const send = (headers: Record<string, string>, token?: string) => {
      const [method, template] = name.split(' ') as [string, string];
      const body = route.body?.(belongings);
      return portal.call(method, route.path?.(belongings) ?? template, {
        headers,
        ...(body === undefined ? {} : { body }),
        ...(token === undefined ? {} : { token }),
      });
    };

    test('returns 401 without a token', async () => {
      const answer = await send({});
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        statusCode: 401,
        message: 'Not authenticated',
        error: 'Unauthorized',
        code: 'auth.required',
      });
    });

    test('returns 401 for an expired token', async () => {
      const answer = await send({}, await expiredTokenOf(portal, belongings.owner));
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.tokenInvalid');
    });

    test.each(['undefined', 'null', 'a.b.c', '%00'])('returns 401 for the token %s', async (token) => {
      const answer = await send({}, token);
      expect(answer.status).toBe(401);
    });

    test('returns 401 for an API key or a cookie in place of the token', async () => {
      const { projectKey, owner } = belongings;
      expect((await send({ 'x-api-key': projectKey })).status).toBe(401);
      expect((await send({}, projectKey)).status).toBe(401);
      expect((await send({ cookie: `accessToken=${owner.token}; token=${owner.token}` })).status).toBe(401);
    });

    test(`${route.isAnyPortal ? 'accepts' : 'returns 401 for'} a token created for another portal`, async () => {
      const { token } = await signUp(fromPageOf(otherPortal, portal));
      const answer = await send({}, token);
      if (route.isAnyPortal) {
        expect(answer.status).not.toBe(401);
      } else {
        expect([answer.status, answer.body.code]).toEqual([401, 'auth.tokenForeign']);
      }
    });

    test(`${route.isAnyTenant ? 'accepts' : 'returns 401 for'} a token created for an app`, async () => {
      const { token } = await signUp(pageOf(portal, 'https://example.com', belongings.code));
      const answer = await send({}, token);
      if (route.isAnyTenant) {
        expect(answer.status).not.toBe(401);
      } else {
        expect([answer.status, answer.body.code]).toEqual([401, 'auth.tokenForeign']);
      }
    });

    test("another user can neither see nor change the owner's things", async () => {
      const other = await signUp(portal);
      if (name.includes('/api/forum/')) await nameAs(portal, other, 'Other');
      const answer = await send({}, other.token);
      route.other(answer, belongings, other);
      if (answer.status < 400) expect(documentedStatuses(name)).toContain(String(answer.status));
      expect(await ownView(portal, belongings)).toEqual(before);
    });
  });

  test("another user's own usage and figures are empty", async () => {
    const { token } = await signUp(portal);
    const usage = await portal.call('GET', '/api/usage', { token });
    expect(usage.body).toEqual({ rows: [], next: null });
    const metrics = await portal.call('GET', '/api/analytics/metrics', { token });
    expect(metrics.body.totals).toMatchObject({ calls: 0, errors: 0, blocked: 0 });
    expect(metrics.body.endpoints).toEqual([]);
    const owners = await portal.call('GET', '/api/analytics/metrics', { token: belongings.owner.token });
    expect(owners.body.totals.calls).toBe(1);
  });

  describe.each(keyRoutes)('%s', (name) => {
    const [method, path] = name.split(' ') as [string, string];
    test('returns 401 without a key, or with a bearer token in its place', async () => {
      expect((await portal.call(method, path)).body).toMatchObject({ code: 'key.missing' });
      const answer = await portal.call(method, path, { token: belongings.owner.token });
      expect(answer.status).toBe(401);
    });

    test('returns 401 Invalid API key for an unknown or misspelt key', async () => {
      for (const key of [
        'nonsense',
        `${belongings.projectKey.slice(0, -1)}_`,
        'oid_0000000000000000000000000003p0gjZ',
      ]) {
        const answer = await portal.call(method, path, { headers: { 'x-api-key': key } });
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject({ message: 'Invalid API key', code: 'key.invalid' });
      }
    });
  });
});

/** Gives an owner one of everything, and one recorded call. */
/** A display name, without which nobody writes in the community. */
const nameAs = (portal: TestApp, { userId }: SignedUp, name: string): Promise<unknown> =>
  portal.db.query('update users set display_name = $2 where id = $1', [userId, name]);

async function settle(portal: TestApp): Promise<OwnedData> {
  const owner = await signUp(portal);
  await nameAs(portal, owner, 'Owner');
  const made = await portal.call('POST', '/devportal/v1/project', {
    token: owner.token,
    body: { projectName: 'Own', whitelistURL: ['https://example.com'] },
  });
  const saved = await portal.call('POST', '/api/keys', { token: owner.token, body: { name: 'Own' } });
  const { projectId: code, apiKey: projectKey } = made.body;
  const called = await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': projectKey } });
  expect(called.status).toBe(200);
  const [{ id: projectKeyId }] = await portal.db.query(
    'select id from api_keys where user_id = $1 and project_id is not null',
    [owner.userId],
  );
  const [session] = (await portal.call('GET', '/api/v1/auth/sessions', { token: owner.token })).body;
  const { email } = owner;
  const signedIn = await pageOf(portal, 'https://example.com', code).call(
    'POST',
    '/api/v1/auth/email/login',
    { body: { email, password: 'a long enough password' } },
  );
  const { id: appId } = signedIn.body.user;
  const savedKeyId = saved.body.id;
  const post = await portal.call('POST', '/api/forum/posts', {
    token: owner.token,
    body: { title: 'Own', content: 'Text', category: 'Bugs' },
  });
  const reply = await portal.call('POST', `/api/forum/posts/${post.body.id}/replies`, {
    token: owner.token,
    body: { content: 'Text' },
  });
  await portal.call('POST', `/api/projects/${code}/games`, { token: owner.token, body: { name: 'Own' } });
  const [postId, replyId] = [post.body.id, reply.body.id];
  const sessionId = session.id;
  return { owner, code, projectKey, projectKeyId, savedKeyId, sessionId, appId, postId, replyId };
}

/** Everything that the owner can see. */
async function ownView(portal: TestApp, { owner, postId, code }: OwnedData): Promise<unknown> {
  const sessionsPath = '/api/v1/auth/sessions';
  const paths = [
    '/api/v1/auth/user',
    '/api/v1/auth/identifiers',
    '/api/v1/auth/apps',
    sessionsPath,
    '/devportal/v1/user/projects',
    '/api/keys',
    '/api/usage',
    `/api/forum/posts/${postId}`,
    `/api/forum/posts/${postId}/replies`,
    `/api/forum/posts/${postId}/mute`,
    '/api/forum/mail',
    '/api/forum/muted',
    `/api/projects/${code}/games`,
  ];
  const views = await Promise.all(paths.map((path) => portal.call('GET', path, { token: owner.token })));
  expect(views.filter(({ status }) => status !== 200)).toEqual([]);
  // Listing the sessions counts as a use of the session, which is stored once a minute.
  const withoutLastUse = (body: object[]) => body.map((session) => ({ ...session, lastUsedAt: undefined }));
  return views.map(({ body }, place) => (paths[place] === sessionsPath ? withoutLastUse(body) : body));
}

/** A token that the portal itself signed for this session, expired one second ago. */
async function expiredTokenOf(portal: TestApp, { userId, token }: SignedUp): Promise<string> {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
  const { kid, privateKey } = portal.app.get(SigningKeysService).signer;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ provider: 'email', sid, azp: portal.environment.PUBLIC_URL })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .setSubject(userId)
    .setIssuer(portal.environment.PUBLIC_URL)
    .setAudience(portal.environment.TENANT_ID)
    .setIssuedAt(now - 3601)
    .setExpirationTime(now - 1)
    .sign(privateKey);
}

/** `METHOD /path` of all Fastify routes, sorted, without the HEAD that comes with every GET. */
function routesOf(portal: TestApp): string[] {
  const tree: string = portal.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const parents: string[] = [];
  const routes: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent, name, methods] = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (indent === undefined || name === undefined) {
      expect(line).toBe('');
      continue;
    }
    const depth = indent.length / 4;
    const path = (parents[depth - 1] ?? '') + name;
    parents.splice(depth, Infinity, path);
    for (const method of methods?.split(', ') ?? []) {
      if (method !== 'HEAD') routes.push(`${method} ${path.replace(/^\*/, '/*')}`);
    }
  }
  return routes.sort();
}
