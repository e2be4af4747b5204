import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { io, Socket } from 'socket.io-client';
import { SiweMessage } from 'siwe';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { randomBytes } from 'node:crypto';
import { HostedIdentity, foreignToken, json, startHostedIdentity } from '../../testing/hosted.identity.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { type ServiceStage, startEmbedded, startTwoPortals } from '../../testing/two.portals.js';
import { comeBack, settle, signInAs, tokensAt } from '../../testing/social.browser.js';
import { TestBrowser } from '../../testing/test.browser.js';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { until } from '../../testing/until.js';
import { AccessTokenVerifier } from '../../auth/access-token.verifier.js';
import { canonicalSiwe } from '../wallet/siwe.rule.js';
import { deviations, sendWire, WireAnswer } from './wire.client.js';
import { hostedUser, wireCalls } from './wire.fixtures.js';
import type { WireCall } from './wire.fixtures.js';

/** The second instance only knows the portal as one of those it serves. */
async function startRemote(): Promise<ServiceStage> {
  const { other: portal, service, close } = await startTwoPortals();
  return { portal, service, close };
}

const password = 'correct horse battery';

describe.each([
  ['the embedded identity service', startEmbedded],
  ['a portal that signs in with another instance', startRemote],
])('%s', (_, start) => {
  let portal: TestApp;
  let service: TestApp;
  let stage: ServiceStage;
  /** The public configuration for the identity client. */
  let identity: { baseUrl: string; callbackUrl: string; subscriptionKey: string; tenantId: string };
  let common: Record<string, string>;

  beforeAll(async () => {
    stage = await start();
    ({ portal, service } = stage);
    ({ identity } = (await portal.call('GET', '/api/config')).body);
    const { host, origin } = new URL(portal.url);
    common = { tenantId: identity.tenantId, callback: identity.callbackUrl, domain: host, origin, password };
  }, 30_000);
  afterAll(() => stage.close());

  /** A request of the identity client from a page of the portal, with the headers that the browser adds. */
  async function send(
    name: keyof typeof wireCalls,
    values: Record<string, string> = {},
    more: Record<string, string> = {},
  ): Promise<WireAnswer> {
    const call: WireCall = wireCalls[name];
    const isNavigation = 'location' in call.answer;
    const origin = new URL(portal.url).origin;
    const answer = await sendWire(
      identity.baseUrl,
      call,
      { ...common, ...values },
      isNavigation ? more : { Origin: origin, ...more },
    );
    // Without this header a browser withholds the response from the page.
    if (!isNavigation && new URL(identity.baseUrl).origin !== origin) {
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
    }
    return answer;
  }

  /** The same, for a request that must succeed: its response has exactly the fields of the fixture. */
  async function ask(
    name: keyof typeof wireCalls,
    values: Record<string, string> = {},
    more: Record<string, string> = {},
  ): Promise<WireAnswer> {
    const { status, fields } = wireCalls[name].answer as WireCall['answer'];
    const answer = await send(name, values, more);
    expect([status].flat()).toContain(answer.status);
    if (fields) expect(deviations(fields, answer.body)).toEqual([]);
    return answer;
  }

  const newEmail = () => `dev-${randomBytes(6).toString('hex')}@example.com`;
  async function register(email = newEmail()) {
    const { body } = await ask('register', { email });
    return { email, id: body.user.id, ...body.token } as {
      email: string;
      id: string;
      accessToken: string;
      refreshToken: string;
    };
  }
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as Record<string, unknown>;
  const projects = (token: string) => portal.call('GET', '/devportal/v1/user/projects', { token });
  /** The portal's view once its cached data is 30 s old. */
  const laterAtPortal = (token: string) =>
    portal.app.get(AccessTokenVerifier).verify(token, Date.now() + 30_000);
  const refused = { code: 'auth.tokenInvalid' };
  /** Sign-in methods are added at the portal that keeps the account; a token of another one is refused. */
  const isRefusedElsewhere = ({ status, body }: { status: number; body: unknown }): boolean => {
    if (portal === service) return false;
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'auth.tokenForeign', message: expect.any(String) });
    return true;
  };

  /** Signs as the identity client does: the siwe library's object, its text, its JSON. */
  async function signedMessage(
    changes: Partial<SiweMessage> = {},
    wallet = privateKeyToAccount(generatePrivateKey()),
  ) {
    const { nonce } = (await ask('nonce')).body;
    const message = new SiweMessage({
      domain: common['domain'],
      address: wallet.address,
      statement: 'Sign in to Bedrock Passport',
      uri: common['origin'],
      version: '1',
      chainId: 1,
      nonce,
      ...changes,
    });
    const text = message.prepareMessage();
    const signature = await wallet.signMessage({ message: text });
    return { message, text, signature, wallet };
  }
  /** Sends the message as the library serialises it, not as the fixture writes it. */
  const sendSigned = async (
    name: 'verify' | 'linkWallet',
    { message, signature }: { message: SiweMessage; signature: string },
    token?: string,
  ) =>
    service.call('POST', wireCalls[name].path, {
      headers: {
        origin: new URL(portal.url).origin,
        // Linking requires a browser with a fresh confirmation.
        ...(token === undefined ? {} : await inBrowserOf(service, token)),
      },
      ...(token === undefined ? {} : { token }),
      body: JSON.parse(
        JSON.stringify({
          message,
          signature,
          ...(name === 'verify' ? { tenantId: common['tenantId'] } : {}),
        }),
      ),
    });
  const asValues = ({ message, signature }: { message: SiweMessage; signature: string }) => ({
    address: message.address,
    nonce: message.nonce,
    issuedAt: message.issuedAt as string,
    signature,
  });

  describe('version info', () => {
    test('names the files of the panel, at the origin of the identity service', async () => {
      const { body } = await ask('version');
      for (const name of ['cdnUrl', 'cssUrl', 'betaCdnUrl', 'betaCssUrl']) {
        expect(new URL(body[name]).origin).toBe(new URL(identity.baseUrl).origin);
      }
    });

    test('names the page that the line under the panel links to', async () => {
      expect(URL.canParse((await ask('widget')).body.url)).toBe(true);
    });
  });

  describe('email', () => {
    test('registering signs in, at the service and at the portal, with claims a client can read', async () => {
      const { accessToken, refreshToken, email, id } = await register();
      expect(claimsOf(accessToken)).toMatchObject({ sub: id, provider: 'email', exp: expect.any(Number) });
      const { body: user } = await ask('user', { accessToken });
      expect(user).toMatchObject({ id, email, provider: 'email', emailVerified: false, displayName: null });
      const confirmed = await portal.call('POST', '/api/auth/bedrock', {
        body: { token: accessToken, refreshToken },
      });
      expect(confirmed.status).toBe(200);
      expect(confirmed.body.user).toMatchObject({ id, email });
      // Only the service itself replaces the refresh token; at another portal it stays.
      expect(confirmed.body.refreshToken === undefined).toBe(portal !== service);
      await ask('refresh', {
        refreshToken: confirmed.body.refreshToken ?? refreshToken,
        provider: 'email',
      });
      expect((await projects(accessToken)).body).toEqual([]);
    });

    test('a project created with the token belongs to its user, and its key works', async () => {
      const one = await register();
      const made = await portal.call('POST', '/devportal/v1/project', {
        token: one.accessToken,
        body: { projectName: 'Wire', whitelistURL: ['https://example.com'] },
      });
      expect(made.status).toBe(201);
      const key = await portal.call('GET', '/api/v1/key', { headers: { 'X-API-Key': made.body.apiKey } });
      expect(key.status).toBe(200);
      expect((await projects((await register()).accessToken)).body).toEqual([]);
    });

    test('signing in again returns the same account', async () => {
      const { email, id, accessToken } = await register();
      const again = await ask('login', { email });
      expect(again.body.user.id).toBe(id);
      const made = await portal.call('POST', '/devportal/v1/project', {
        token: accessToken,
        body: { projectName: 'Same', whitelistURL: ['https://example.com'] },
      });
      expect(made.status).toBe(201);
      expect((await projects(again.body.token.accessToken)).body).toHaveLength(1);
    });

    test.each([
      ['a wrong password', 401, async () => ({ email: (await register()).email, password: 'wrong horse' })],
      ['an unknown address', 401, async () => ({ email: newEmail() })],
    ])('%s returns %i with a message to show', async (_what, status, values) => {
      const answer = await send('login', await values());
      expect(answer.status).toBe(status);
      expect(answer.body.message).toEqual(expect.any(String));
    });

    test('a forgotten password is reset with the token of the email, which ends every earlier session', async () => {
      const { email, id, accessToken, refreshToken } = await register();
      expect((await projects(accessToken)).status).toBe(200);
      expect((await ask('reset', { email })).body).toEqual((await ask('reset', { email: newEmail() })).body);
      const { text } = await mailTo(service, email, 'password');
      const linkToken = new URL(/https?:\S+/.exec(text)?.[0] as string).searchParams.get('token') as string;
      const newPassword = 'another horse battery';
      const { body } = await ask('password', { linkToken, newPassword });
      expect(body.user.id).toBe(id);
      expect((await projects(body.token.accessToken)).status).toBe(200);
      expect((await send('login', { email })).status).toBe(401);
      await ask('login', { email, password: newPassword });
      expect((await send('user', { accessToken })).status).toBe(401);
      expect((await send('refresh', { refreshToken, provider: 'email' })).status).toBe(401);
      await expect(laterAtPortal(accessToken)).rejects.toMatchObject(refused);
      expect((await send('password', { linkToken, newPassword })).status).toBe(410);
    });

    test('a taken address returns 409 with a message to show', async () => {
      const { email } = await register();
      const answer = await send('register', { email });
      expect(answer.status).toBe(409);
      expect(answer.body.message).toEqual(expect.any(String));
    });
  });

  describe('a wallet, signed with the siwe library', () => {
    test('signs in, at the service and at the portal', async () => {
      const signed = await signedMessage();
      const answer = await sendSigned('verify', signed);
      expect(answer.status).toBe(200);
      expect(deviations(wireCalls.verify.answer.fields, answer.body)).toEqual([]);
      const { accessToken } = answer.body.token;
      expect(claimsOf(accessToken)['provider']).toBe('wallet');
      const { body: user } = await ask('user', { accessToken });
      expect(user).toMatchObject({ ethAddress: signed.wallet.address, email: null, displayName: null });
      expect((await projects(accessToken)).status).toBe(200);
    });

    test('the message in the fixture equals the message that the library creates', async () => {
      const signed = await signedMessage();
      await ask('verify', asValues(signed));
    });

    test('its text is the text that the portal rebuilds, and the library accepts the same messages', async () => {
      const { message, text, signature } = await signedMessage();
      const ours = canonicalSiwe(JSON.parse(JSON.stringify(message)), {
        portals: [portal.url],
        nowMs: Date.now(),
      });
      expect(ours.text).toBe(text);
      const { success } = await new SiweMessage(ours.text).verify({ signature, domain: common['domain'] });
      expect(success).toBe(true);
    });

    test.each<[string, Partial<SiweMessage>]>([
      ['another domain', { domain: 'evil.example' }],
      ['another address', { uri: 'https://evil.example' }],
      ['another chain', { chainId: 137 }],
      ['another statement', { statement: 'Sign in to Evil' }],
      ['an old time', { issuedAt: new Date(Date.now() - 6 * 60_000).toISOString() }],
      ['a nonce of its own', { nonce: 'abcdefgh12345678' }],
    ])('a message of %s is refused, though correctly signed', async (_what, changes) => {
      expect((await sendSigned('verify', await signedMessage(changes))).status).toBe(401);
    });

    test('a message that names two portals is refused', async () => {
      const uri = portal === service ? 'http://localhost:1' : new URL(service.url).origin;
      expect((await sendSigned('verify', await signedMessage({ uri }))).status).toBe(401);
    });

    test('can be linked to an account with another sign-in method, and then signs in to it; another portal is refused', async () => {
      const { id, accessToken } = await register();
      const signed = await signedMessage();
      const linked = await sendSigned('linkWallet', signed, accessToken);
      if (isRefusedElsewhere(linked)) return;
      expect(linked.status).toBe(200);
      expect(deviations(wireCalls.linkWallet.answer.fields, linked.body)).toEqual([]);
      expect(linked.body.user.id).toBe(id);
      const { body: user } = await ask('user', { accessToken: linked.body.token.accessToken });
      expect(user).toMatchObject({ id, ethAddress: signed.wallet.address });
      const again = await sendSigned('verify', await signedMessage({}, signed.wallet));
      expect(again.body.user.id).toBe(id);
      expect((await projects(again.body.token.accessToken)).status).toBe(200);
      const other = await register();
      const taken = await sendSigned('linkWallet', await signedMessage({}, signed.wallet), other.accessToken);
      expect(taken.status).toBe(409);
      expect(taken.body.message).toBe(
        'This wallet is already linked to another account. Use a different one, or sign in to that account',
      );
    });

    test('is linked by the request exactly as recorded; another portal is refused', async () => {
      const { accessToken } = await register();
      const values = { ...asValues(await signedMessage()), accessToken };
      const { cookie } = await inBrowserOf(service, accessToken);
      if (portal === service) await ask('linkWallet', values, { Cookie: cookie });
      else isRefusedElsewhere(await send('linkWallet', values, { Cookie: cookie }));
    });

    test('a signature works once', async () => {
      const signed = await signedMessage();
      expect((await sendSigned('verify', signed)).status).toBe(200);
      expect((await sendSigned('verify', signed)).status).toBe(401);
    });
  });

  describe('a session', () => {
    test('is renewed with a refresh token that stays the same, in several tabs at once', async () => {
      const { accessToken, refreshToken } = await register();
      const provider = String(claimsOf(accessToken)['provider']);
      const renewed = await Promise.all(
        Array.from({ length: 8 }, () => ask('refresh', { refreshToken, provider })),
      );
      for (const { body } of renewed) {
        await ask('user', { accessToken: body.accessToken });
        expect((await projects(body.accessToken)).status).toBe(200);
      }
      await ask('user', { accessToken });
    });

    test('is not renewed with a wrong refresh token', async () => {
      expect((await send('refresh', { refreshToken: 'x'.repeat(43), provider: 'email' })).status).toBe(401);
    });

    test('ends after signing out: for its tokens, at the service and at the portal', async () => {
      const { accessToken, refreshToken } = await register();
      expect((await projects(accessToken)).status).toBe(200);
      const socket = await connected(portal, accessToken);
      const ended = new Promise((resolve) => socket.once('session.ended', resolve));
      await ask('logout', { accessToken });
      if (portal !== service) await portal.call('DELETE', '/api/auth/bedrock', { token: accessToken });
      expect((await send('user', { accessToken })).status).toBe(401);
      expect((await send('refresh', { refreshToken, provider: 'email' })).status).toBe(401);
      expect((await projects(accessToken)).status).toBe(401);
      expect(await ended).toEqual({ reason: 'signedOut' });
      socket.close();
    });

    test('that ended elsewhere ends at the portal within 30 s', async () => {
      const { accessToken } = await register();
      expect((await projects(accessToken)).status).toBe(200);
      await ask('logout', { accessToken });
      await expect(laterAtPortal(accessToken)).rejects.toMatchObject(refused);
    });

    test('gets an empty list of currencies', async () => {
      const { accessToken } = await register();
      expect((await ask('currency', { accessToken })).body).toEqual({ Items: [] });
    });

    test.each([
      ['undefined', 'undefined'],
      ['null', 'null'],
      ['that is made up', foreignToken()],
    ])('with the token %s is refused, at the service and at the portal', async (_what, accessToken) => {
      expect((await send('user', { accessToken })).status).toBe(401);
      expect((await projects(accessToken)).status).toBe(401);
    });
  });

  describe.each(['google', 'apple'] as const)('%s', (provider) => {
    test('starts at the address that the client builds, with its callback unchanged', async () => {
      const { headers } = await ask(provider);
      expect(headers.location).toMatch(wireCalls[provider].answer.location);
      expect(new URL(headers.location as string).searchParams.get('state')).not.toBe(common['callback']);
    });

    test('starts at /api/login of the portal too', async () => {
      const { status, headers } = await portal.call('GET', `/api/login?provider=${provider}`);
      expect(status).toBe(302);
      const { pathname, search, origin } = new URL(headers.get('location') as string, portal.url);
      expect(origin).toBe(new URL(identity.baseUrl).origin);
      const path = wireCalls[provider].path
        .replace('<callback>', common['callback'] as string)
        .replace('<tenantId>', common['tenantId'] as string);
      expect(pathname + search).toBe(path);
    });

    test('does not start with an unregistered callback', async () => {
      const answer = await send(provider, { callback: 'https://evil.example/auth/callback' });
      expect(answer.status).toBe(400);
      expect(answer.headers.location).toBeUndefined();
    });

    test('signs in: from the portal to the provider and back to the portal, with both tokens', async () => {
      const email = newEmail();
      const page = await signInAs(new TestBrowser(portal.url), provider, { email, verified: 'yes' });
      expect(page.url.origin + page.url.pathname).toBe(common['callback']);
      const { token, refreshToken } = tokensAt(page);
      expect(claimsOf(token)['provider']).toBe(provider);
      const { body: user } = await ask('user', { accessToken: token });
      expect(user).toMatchObject({ email, emailVerified: true, provider });
      await ask('refresh', { refreshToken, provider });
      const confirmed = await portal.call('POST', '/api/auth/bedrock', { body: { token, refreshToken } });
      expect(confirmed.body.user).toMatchObject({ id: user.id, email });
      expect((await projects(token)).status).toBe(200);
    });

    test('is linked: confirmed at the service, returned to the portal; refused from another portal', async () => {
      const { accessToken, refreshToken, id } = await register();
      const browser = new TestBrowser(identity.baseUrl);
      if (portal === service) await settle(browser, { token: accessToken, refreshToken });
      const asked = await browser.visit(
        `/api/v1/auth/identifier/${provider.toUpperCase()}?state=${common['callback']}&token=${accessToken}&tenantId=${common['tenantId']}&subscription-key=DEMO_BEDROCK_PASSPORT_KEY`,
      );
      expect(asked.text).not.toContain(accessToken);
      if (portal !== service) {
        expect(asked.status).toBe(401);
        return expect(asked.text).toContain(`Your account is managed at ${new URL(service.url).host}.`);
      }
      const title = provider === 'google' ? 'Google' : 'Apple';
      const confirmed = await browser.submit(asked, `Continue with ${title}`);
      const page = await comeBack(browser, confirmed, provider, { email: newEmail(), verified: 'yes' });
      expect(page.url.origin + page.url.pathname).toBe(common['callback']);
      const { body: user } = await ask('user', { accessToken: tokensAt(page).token });
      expect(user.id).toBe(id);
    });
  });
});

describe('a portal whose hosted service responds as recorded on the wire', () => {
  let hosted: HostedIdentity;
  let portal: TestApp;
  beforeAll(async () => {
    hosted = await startHostedIdentity();
    hosted.answer = json(hostedUser);
    portal = await startTestApp({ IDENTITY_URL: hosted.url });
  }, 30_000);
  afterAll(async () => {
    await portal.close();
    await hosted.stop();
  });

  test('sends what the client sends, and recognises the user in the response', async () => {
    const token = foreignToken();
    const answer = await portal.call('POST', '/api/auth/bedrock', { body: { token, refreshToken: 'r' } });
    const { id, email, displayName, userName, bio, country, picture, ethAddress, emailVerified } = hostedUser;
    expect(answer.body.user).toMatchObject({
      id,
      email,
      displayName,
      userName,
      bio,
      country,
      picture,
      ethAddress,
      emailVerified,
      provider: 'google',
    });
    const [asked] = hosted.asked;
    expect(asked?.line).toBe(`${wireCalls.user.method} ${wireCalls.user.path}`);
    expect(asked?.headers).toMatchObject({
      'Ocp-Apim-Subscription-Key': wireCalls.user.headers['Ocp-Apim-Subscription-Key'],
      Authorization: `Bearer ${token}`,
    });
  });
});

async function connected(portal: TestApp, token: string): Promise<Socket> {
  const socket = io(portal.url, { transports: ['websocket'], auth: { token }, forceNew: true });
  await until('the socket is connected', () => socket.connected);
  return socket;
}
