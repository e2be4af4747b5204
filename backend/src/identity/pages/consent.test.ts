import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultAppearance } from '@orange-id/contract/appearance';
import { providers } from '@orange-id/contract/sign-in.methods';
import { decodeJwt } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { askFor, beginFor, handTo, tab } from '../../testing/app.sign-in.js';
import { hostileStates } from '../../testing/hostile.states.js';
import { signUp } from '../../testing/sign.up.js';
import { comeBack, signInAs, tokensAt } from '../../testing/social.browser.js';
import { makeTenant, pageOf, type TestTenant } from '../../testing/tenant.page.js';
import { startTestApp, type TestApp } from '../../testing/test.app.js';
import { formOf, TestBrowser, type Visited } from '../../testing/test.browser.js';

const site = 'https://app.example.com';
const callback = `${site}/auth/callback`;
const html = { accept: 'text/html' };

describe('sign-in for an app on the portal’s own pages', () => {
  let portal: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  beforeAll(async () => {
    portal = await startTestApp();
    tenant = await makeTenant(portal, [site], { name: 'Acme' });
    other = await makeTenant(portal, ['https://shop.example.org'], { name: 'Shop' });
  }, 30_000);
  afterAll(() => portal.close());

  const newBrowser = () => new TestBrowser(portal.url);
  const asked = (more: Record<string, string> = {}) => ({ tenantId: tenant.code, callback, tab, ...more });
  const isActive = async (token: string) =>
    (await portal.call('GET', '/api/v1/auth/user', { token })).status === 200;
  const userOf = async ({ url }: Visited) =>
    (
      await pageOf(portal, url.origin).call('GET', '/api/v1/auth/user', {
        token: url.searchParams.get('token') as string,
      })
    ).body;
  const connectionsOf = (userId: string) =>
    portal.db.query<{ id: string; claims: string[]; consented_at: Date | null }[]>(
      'select id, claims, consented_at from tenant_connections where user_id = $1',
      [userId],
    );
  const confirm = ({ userId }: { userId: string }) =>
    portal.db.query("update users set email_verified = true, display_name = 'Ada' where id = $1", [userId]);

  test('asks for consent and returns to the app with its tokens and its marker', async () => {
    const browser = newBrowser();
    const person = await signUp(portal);
    await confirm(person);
    const { page } = await askFor(browser, asked(), person);
    expect(page.text).toContain('<bdi>Acme</bdi>');
    expect(page.text).toContain(`<bdi>${site}</bdi>`);
    expect(page.text).toContain(person.email);
    const back = await browser.submit(page, 'Continue', { name: 'yes' });
    expect(back.status).toBe(303);
    expect(back.url.origin + back.url.pathname).toBe(callback);
    expect(back.url.searchParams.get('tab')).toBe(tab);
    const [connection] = await connectionsOf(person.userId);
    expect(decodeJwt(back.url.searchParams.get('token') as string)).toMatchObject({
      aud: tenant.code,
      azp: site,
      sub: connection?.id,
      name: 'Ada',
      provider: 'email',
    });
    // The email was not consented to.
    expect(JSON.stringify(await userOf(back))).not.toContain(person.email);
    expect(back.url.href).not.toContain(person.email);
    expect(connection?.claims).toEqual(['name']);
    const refreshed = await pageOf(portal, site).call('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: back.url.searchParams.get('refreshToken') },
    });
    expect(refreshed.status).toBe(200);
  });

  test('keeps the portal’s look, with the app’s uploaded logo; one from elsewhere would tell its owner who visits', async () => {
    const branded = await makeTenant(portal, ['https://branded.example.com'], { name: 'Branded' });
    const path = '/pictures/0123456789abcdef0123456789abcdef.webp';
    const save = (version: number, light: string, dark: string) =>
      portal.db.query(
        `insert into project_appearances (project_id, version, value, saved_by)
         select id, $2, $3, owner_id from projects where code = $1`,
        [branded.code, version, { ...defaultAppearance, logo: { light, dark, alt: '' } }],
      );
    const query = { tenantId: branded.code, callback: 'https://branded.example.com/auth/callback', tab };
    const { page } = await askFor(newBrowser(), query);
    expect(page.text).not.toContain('<img');
    await save(1, 'https://cdn.example.com/logo.png', '');
    expect((await askFor(newBrowser(), query)).page.text).not.toContain('<img');
    await save(2, 'https://cdn.example.com/logo.png', path);
    const shown = (await askFor(newBrowser(), query)).page;
    expect(shown.text).toContain(`<img class="logo" src="${path}" alt="">`);
    expect(shown.headers.get('content-security-policy')).toContain("img-src 'self'");
  });

  test('ends a temporary session of the portal with the flow, and leaves one that was there before', async () => {
    const browser = newBrowser();
    const { page, person } = await askFor(browser, asked());
    expect(await isActive(person.token)).toBe(true);
    await browser.submit(page, 'Continue');
    expect(await isActive(person.token)).toBe(false);

    const resident = await signUp(portal);
    const again = await askFor(browser, asked(), resident);
    await browser.submit(again.page, 'Continue');
    expect(await isActive(resident.token)).toBe(true);
  });

  test('ends a temporary session with its flow, even if the flow is abandoned', async () => {
    const { person } = await askFor(newBrowser(), asked());
    const [row] = await portal.db.query(
      `select expires_at <= now() + interval '30 minutes' as ends from refresh_tokens where id = $1`,
      [decodeJwt(person.token)['sid']],
    );
    expect(row.ends).toBe(true);
  });

  test('does not change the account that the browser is bound to', async () => {
    const browser = newBrowser();
    const google = { email: `resident-${Date.now()}@example.com`, verified: 'yes' } as const;
    const { token } = tokensAt(await signInAs(browser, 'google', google));
    const { page } = await askFor(browser, asked());
    await browser.submit(page, 'Continue');
    const proof = await fetch(`${portal.url}/api/v1/auth/proof`, {
      headers: {
        authorization: `Bearer ${token}`,
        cookie: `portal_session=${browser.cookie('portal_session')}`,
      },
    });
    expect(((await proof.json()) as { provenUntil: string | null }).provenUntil).not.toBeNull();
  });

  test('preselects the name, the picture and the identifier that was signed in with', async () => {
    const person = await signUp(portal);
    await confirm(person);
    await portal.db.query(
      `update users set eth_address = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e' where id = $1`,
      [person.userId],
    );
    const { page } = await askFor(newBrowser(), asked(), person);
    expect(boxesOf(page)).toEqual({ name: true, email: true, wallet: false });
    await portal.db.query(`update refresh_tokens set provider = 'wallet' where user_id = $1`, [
      person.userId,
    ]);
    const again = await askFor(newBrowser(), asked(), person);
    expect(boxesOf(again.page)).toEqual({ name: true, email: false, wallet: true });
  });

  test('offers only what the account has, and no email that is not confirmed', async () => {
    const { page, person } = await askFor(newBrowser(), asked());
    expect(boxesOf(page)).toEqual({});
    expect(page.text).not.toContain(person.email);
  });

  test('asks a person once, again with prompt=consent, and always for an app on a computer', async () => {
    const browser = newBrowser();
    const person = await signUp(portal);
    await confirm(person);
    const { page } = await askFor(browser, asked(), person);
    await browser.submit(page, 'Continue', { email: 'yes' });

    const second = await askFor(newBrowser(), asked(), person);
    expect(second.page.url.searchParams.get('token')).not.toBeNull();
    expect(await userOf(second.page)).toMatchObject({ email: person.email, displayName: null });

    const third = await askFor(newBrowser(), asked({ prompt: 'consent' }), person);
    expect(boxesOf(third.page)).toEqual({ name: false, email: true });

    const local = await askFor(newBrowser(), asked({ callback: 'http://localhost:5173/' }), person);
    expect(local.page.text).toContain('An app on this computer (localhost:5173)');
  });

  test('asks once at each origin of an app, with what was chosen before', async () => {
    const other = 'https://other.example.com';
    const wide = await makeTenant(portal, [site, other], { name: 'Wide' });
    const person = await signUp(portal);
    await confirm(person);
    const openAt = async (origin: string) => {
      const browser = newBrowser();
      const query = asked({ tenantId: wide.code, callback: `${origin}/` });
      return { browser, ...(await askFor(browser, query, person)) };
    };
    const first = await openAt(site);
    await first.browser.submit(first.page, 'Continue', { email: 'yes' });

    const { browser, page } = await openAt(other);
    expect(page.text).toContain('You have no other session with this app at other.example.com.');
    expect(boxesOf(page)).toEqual({ name: false, email: true });
    await browser.submit(page, 'Continue', { email: 'yes' });
    for (const origin of [site, other]) {
      const again = await openAt(origin);
      expect(again.page.url.searchParams.get('token')).not.toBeNull();
    }
  });

  test('names a person without a confirmed email, and says why the app can’t see the email', async () => {
    const person = await signUp(portal);
    await portal.db.query(`update users set display_name = 'Nina N.' where id = $1`, [person.userId]);
    const { page } = await askFor(newBrowser(), asked(), person);
    expect(page.text).toContain(
      'You’re signed in as Nina N. Your email isn’t confirmed, so the app can’t see it.',
    );
    expect(page.text).not.toContain(person.email);
  });

  test('returns error=access_denied and no tokens after Cancel, and stores no consent', async () => {
    const browser = newBrowser();
    const { page, person } = await askFor(browser, asked());
    const back = await browser.submit(page, 'Cancel', { answer: 'cancel' });
    expect(back.url.href).toBe(`${callback}?error=access_denied&tab=${tab}`);
    expect(await connectionsOf(person.userId)).toEqual([]);
    expect(await isActive(person.token)).toBe(false);
  });

  test('returns a popup’s tokens by a message to exactly the callback’s origin', async () => {
    for (const [button, fields, type] of [
      ['Continue', {}, 'orange-id.signin'],
      ['Cancel', { answer: 'cancel' }, 'orange-id.cancelled'],
    ] as const) {
      const browser = newBrowser();
      const { page } = await askFor(browser, asked({ display: 'popup' }));
      const back = await browser.submit(page, button, fields);
      expect([back.status, back.url.pathname]).toEqual([200, '/api/v1/auth/consent']);
      const data = /data-origin="([^"]*)" data-message="([^"]*)"/.exec(back.text) ?? [];
      expect(data[1]).toBe(site);
      const message = JSON.parse((data[2] as string).replaceAll('&quot;', '"'));
      expect(message).toMatchObject({ type, tab });
      expect(message.token === undefined).toBe(button === 'Cancel');
      const [, script = ''] = /<script>([^]*?)<\/script>/.exec(back.text) ?? [];
      const hash = createHash('sha256').update(script).digest('base64');
      expect(back.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}';`);
    }
  });

  test('accepts no callback with a query or fragment, which could plant tokens or a marker', async () => {
    for (const planted of [`${callback}?token=x`, `${callback}?tab=${tab}`, `${callback}#token=x`]) {
      expect((await authorize({ callback: planted })).status).toBe(400);
    }
  });

  const authorize = (more: Record<string, string>, headers = {}) =>
    portal.call('GET', `/api/v1/auth/authorize?${new URLSearchParams(asked(more))}`, { headers });

  test('refuses every callback that an attacker sends, and never redirects to it', async () => {
    // Any path and port of an allowed origin is a callback of the app.
    const isOfApp = /^https:\/\/app\.example\.com(:\d+)?(\/[^?#\\@\s\p{Cc}]*)?$/u;
    for (const state of hostileStates(site)) {
      if (isOfApp.test(state) && state.length < 2048) continue;
      const answer = await authorize({ callback: state });
      expect({ state, status: answer.status }).toEqual({ state, status: 400 });
      expect(answer.headers.get('location')).toBeNull();
    }
    for (const state of [
      'https://app.example.com.evil.example/auth/callback',
      'https://app-example.com/auth/callback',
      'https://аpp.example.com/auth/callback',
      'https://app.example.com%2eevil.example/auth/callback',
      'http://app.example.com/auth/callback',
      'https://sub.app.example.com/auth/callback',
      'chrome-extension://abcdefghijklmnopabcdefghijklmnop/auth/callback',
      `${portal.url}/auth/callback`,
      `${portal.url}/login`,
    ]) {
      const answer = await authorize({ callback: state });
      expect({ state, status: answer.status }).toEqual({ state, status: 400 });
      expect(answer.headers.get('location')).toBeNull();
    }
  });

  test('shows a page that names the callback that was sent, as text', async () => {
    const answer = await authorize({ callback: 'https://evil.example/<script>' }, html);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.text).toContain('https://evil.example/&lt;script&gt;');
    expect(answer.text).not.toMatch(/<script|href="https:\/\/evil/);
  });

  test.each([
    ['http://localhost:5501/?ref=mail', 'A callback URL can’t have a query or fragment.'],
    ['http://localhost:5501/#top', 'A callback URL can’t have a query or fragment.'],
    ['https://user@app.example.com/', 'The callback URL isn’t valid.'],
    [
      'https://evil.example/',
      'The callback URL must be on one of the URLs that "Acme" allows, or on localhost.',
    ],
  ])('names the reason for which %s is refused', async (callback, reason) => {
    expect((await authorize({ callback })).body.message).toBe(`${reason} Yours is ${callback}`);
  });

  test.each<[Record<string, string>, number, string]>([
    [{ tenantId: 'orange-zzzzzzzzzz' }, 401, 'auth.tenantUnknown'],
    [{ tenantId: '<b>' }, 401, 'auth.tenantUnknown'],
    [{ tenantId: 'orange-0000000000' }, 400, 'auth.tenantRequired'],
    [{ 'subscription-key': 'orange-zzzzzzzzzz' }, 401, 'auth.tenantConflict'],
    [{ display: 'frame' }, 400, 'request.invalid'],
    [{ prompt: 'none' }, 400, 'request.invalid'],
    [{ method: 'password' }, 400, 'request.invalid'],
  ])('refuses a link with %j with %i %s', async (more, status, code) => {
    const { status: given, body } = await authorize(more);
    expect([given, body.code]).toEqual([status, code]);
  });

  test('tells the sign-in page which app it is for, in the browser that began it only', async () => {
    const browser = newBrowser();
    const flow = await beginFor(browser, asked({ display: 'popup', method: 'wallet' }));
    const read = (cookie?: string) =>
      portal.call('GET', `/api/v1/auth/flows/${flow}`, {
        headers: cookie === undefined ? {} : { cookie: `portal_session=${cookie}` },
      });
    const { status, body } = await read(browser.cookie('portal_session'));
    expect([status, body]).toEqual([
      200,
      {
        app: { name: 'Acme', projectId: tenant.code, origin: site, isLocal: false },
        display: 'popup',
        method: 'wallet',
      },
    ]);
    for (const cookie of [undefined, randomBytes(32).toString('base64url')]) {
      expect((await read(cookie)).body.code).toBe('auth.flowInvalid');
    }
  });

  test('names an app of an international domain by its ASCII name', async () => {
    const spoofed = await makeTenant(portal, ['https://аррӏе.example.com']);
    const flow = { tenantId: spoofed.code, callback: 'https://аррӏе.example.com/' };
    const { page } = await askFor(newBrowser(), flow);
    expect(page.text).toContain('<bdi>https://xn--80ak6aa92e.example.com</bdi>');
  });

  test('leaves out invisible and direction-changing characters of an older name', async () => {
    const named = await makeTenant(portal, ['https://named.example.com']);
    await portal.db.query('update projects set project_name = $2 where code = $1', [
      named.code,
      'Bank\u202e\u200b\u2066\u3164 of <i>',
    ]);
    const { page } = await askFor(newBrowser(), {
      tenantId: named.code,
      callback: 'https://named.example.com/',
    });
    expect(page.text).toContain('<bdi>Bank of &lt;i&gt;</bdi>');
  });

  describe('an attacker', () => {
    test('cannot frame the page, nor have it read by the page that opened it', async () => {
      const { page } = await askFor(newBrowser(), asked());
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('access-control-allow-origin')).toBeNull();
    });

    test('cannot press the button from another page, without the cookie and the value in the form', async () => {
      const browser = newBrowser();
      const { page, person } = await askFor(browser, asked());
      const { action, hidden } = formOf(page, 'Continue');
      const withoutCookie = await newBrowser().visit(action, { form: hidden });
      const { csrf: _csrf, ...rest } = hidden;
      const withoutValue = await browser.visit(action, { form: rest });
      const guessed = await browser.visit(action, { form: { ...hidden, csrf: 'x'.repeat(43) } });
      for (const answer of [withoutCookie, withoutValue, guessed]) {
        expect([answer.status, answer.url.pathname]).toEqual([400, '/api/v1/auth/consent']);
        expect(answer.text).toContain('This sign-in can’t continue');
      }
      expect(await connectionsOf(person.userId)).toEqual([]);
      expect(browser.cookie('portal_session')).toBeDefined();
    });

    test('cannot have the cookie sent from another site', async () => {
      const answer = await authorize({});
      expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    });

    test('cannot use a consent at another project, or twice', async () => {
      const browser = newBrowser();
      const first = await askFor(browser, asked());
      const forOther = { tenantId: other.code, callback: 'https://shop.example.org/', tab };
      const second = await askFor(browser, forOther, await signUp(portal));
      const mine = formOf(first.page, 'Continue');
      const theirs = formOf(second.page, 'Continue');
      const replayed = await browser.visit(mine.action, {
        form: { ...mine.hidden, flow: theirs.hidden['flow'] as string, tenantId: other.code },
      });
      expect(replayed.status).toBe(400);
      expect(await connectionsOf(second.person.userId)).toEqual([]);
      const back = await browser.submit(first.page, 'Continue');
      expect(decodeJwt(back.url.searchParams.get('token') as string).aud).toBe(tenant.code);
      expect((await browser.submit(first.page, 'Continue')).status).toBe(400);
    });

    test('cannot use the answer of one person for another who signs in later', async () => {
      const browser = newBrowser();
      const { page, flow } = await askFor(browser, asked());
      expect((await handTo(browser, flow, await signUp(portal))).status).toBe(200);
      expect((await browser.submit(page, 'Continue')).status).toBe(400);
    });

    test('cannot sign in with a stolen access token, or with tokens of an app', async () => {
      const browser = newBrowser();
      const flow = await beginFor(browser, asked());
      const victim = await signUp(portal);
      const stolen = await handTo(browser, flow, { token: victim.token, refreshToken: 'x'.repeat(43) });
      expect([stolen.status, await codeOf(stolen)]).toEqual([401, 'auth.refreshInvalid']);
      const ofApp = await handTo(browser, flow, await signUp(pageOf(portal, site, tenant.code)));
      expect([ofApp.status, await codeOf(ofApp)]).toEqual([401, 'auth.tokenForeign']);
      expect((await browser.visit(`/api/v1/auth/consent?flow=${flow}`)).url.pathname).toBe('/login');
    });

    test('cannot hand tokens to a flow with a form: it takes JSON, which needs a preflight', async () => {
      const browser = newBrowser();
      const flow = await beginFor(browser, asked());
      const { token, refreshToken } = await signUp(portal);
      const answer = await browser.visit(`/api/v1/auth/flows/${flow}`, {
        form: { token, refreshToken, isTemporary: 'true' },
      });
      expect(answer.status).toBe(415);
      const preflight = await portal.call('OPTIONS', `/api/v1/auth/flows/${flow}`, {
        headers: { origin: site, 'access-control-request-method': 'POST' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    });

    test('cannot plant a cookie: it gets a new value when somebody signs in', async () => {
      const browser = newBrowser();
      const flow = await beginFor(browser, asked());
      const planted = browser.cookie('portal_session') as string;
      await handTo(browser, flow, await signUp(portal));
      const attacker = newBrowser();
      attacker.setCookie('portal_session', planted);
      const page = await attacker.visit(`/api/v1/auth/consent?flow=${flow}`);
      expect(page.text).toContain('This sign-in can’t continue');
    });
  });

  test('refuses a flow that has expired', async () => {
    const browser = newBrowser();
    const { page } = await askFor(browser, asked());
    await portal.db.query(
      `update sessions set sess = jsonb_set(sess, array['apps', $2, 'expiresAtMs'], '1') where sid = $1`,
      [
        createHash('sha256')
          .update(browser.cookie('portal_session') as string)
          .digest('hex'),
        page.url.searchParams.get('flow'),
      ],
    );
    expect((await browser.submit(page, 'Continue')).text).toContain('took longer than 30 minutes');
  });

  test('shares nothing if the portal’s session ends before Continue', async () => {
    const browser = newBrowser();
    const { page, person } = await askFor(browser, asked());
    await portal.call('POST', '/api/v1/auth/logout', { token: person.token });
    const answer = await browser.submit(page, 'Continue');
    expect([answer.status, answer.url.pathname]).toEqual([401, '/api/v1/auth/consent']);
    expect(answer.text).toContain('You’re signed out');
    expect(await connectionsOf(person.userId)).toEqual([]);
  });

  test('does not return to a URL that the project removed before Continue', async () => {
    const moving = await makeTenant(portal, ['https://kept.example.com', 'https://gone.example.com']);
    const browser = newBrowser();
    const flow = { tenantId: moving.code, callback: 'https://gone.example.com/cb' };
    const { page, person } = await askFor(browser, flow);
    await portal.call('DELETE', '/devportal/v1/project/whitelist', {
      token: moving.owner.token,
      body: { projectName: moving.name, code: moving.code, url: 'https://gone.example.com' },
    });
    const answer = await browser.submit(page, 'Continue');
    expect([answer.status, answer.url.origin]).toEqual([400, portal.url]);
    expect(await connectionsOf(person.userId)).toEqual([]);
    expect(await isActive(person.token)).toBe(false);
  });

  test('makes one connection of twelve consents at once', async () => {
    const person = await signUp(portal);
    const pages = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const browser = newBrowser();
        return { browser, page: (await askFor(browser, asked(), person)).page };
      }),
    );
    const backs = await Promise.all(pages.map(({ browser, page }) => browser.submit(page, 'Continue')));
    const subjects = backs.map(({ url }) => decodeJwt(url.searchParams.get('token') as string).sub);
    expect(new Set(subjects).size).toBe(1);
    expect(await connectionsOf(person.userId)).toHaveLength(1);
  });

  test('lets one of twelve submissions of the same form continue', async () => {
    const browser = newBrowser();
    const { page } = await askFor(browser, asked());
    const backs = await Promise.all(Array.from({ length: 12 }, () => browser.submit(page, 'Continue')));
    expect(backs.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  test('saves what an app sees without a callback, and signs nobody in to it', async () => {
    const browser = newBrowser();
    const person = await signUp(portal);
    await confirm(person);
    const { body } = await pageOf(portal, site, tenant.code).call('GET', '/api/v1/auth/widget');
    const query = Object.fromEntries(new URL(body.url).searchParams);
    const { page } = await askFor(browser, query, person);
    expect(page.text).toContain('Choose what Acme can see');
    const saved = await browser.submit(page, 'Save', { email: 'yes' });
    expect([saved.status, saved.url.pathname]).toEqual([200, '/api/v1/auth/consent']);
    expect(saved.text).toContain('<h1>Saved</h1>');
    expect(saved.text).toContain(`href="${site}"`);
    expect(await connectionsOf(person.userId)).toMatchObject([{ claims: ['email'] }]);
    const sessions = await portal.db.query('select from refresh_tokens where user_id = $1', [person.userId]);
    expect(sessions).toHaveLength(1);
  });

  describe.each(providers)('with %s', (provider) => {
    const person = () => ({ email: `user-${randomBytes(6).toString('hex')}@example.com`, name: 'Ada' });
    const wire = (query: Record<string, string>) =>
      `/api/v1/auth/${provider.toUpperCase()}?${new URLSearchParams(query)}`;

    test('asks for consent on the identity client’s wire, once', async () => {
      const who = { ...person(), verified: 'yes' } as const;
      const begin = { state: callback, tenantId: tenant.code, tab };
      const browser = newBrowser();
      const page = await comeBack(browser, await browser.visit(wire(begin)), provider, who);
      expect(page.url.pathname).toBe('/api/v1/auth/consent');
      expect(page.text).toContain('<bdi>Acme</bdi>');
      const back = await browser.submit(page, 'Continue', { email: 'yes' });
      expect(decodeJwt(back.url.searchParams.get('token') as string)).toMatchObject({
        aud: tenant.code,
        azp: site,
        provider,
        email: who.email,
      });
      expect(back.url.searchParams.get('tab')).toBe(tab);
      const again = await comeBack(browser, await browser.visit(wire(begin)), provider, who);
      expect(again.url.origin + again.url.pathname).toBe(callback);
    });

    test('continues a sign-in that began with authorize, and leaves no session of the portal', async () => {
      const browser = newBrowser();
      const link = `/api/v1/auth/authorize?${new URLSearchParams(asked({ method: provider }))}`;
      const page = await comeBack(browser, await browser.visit(link), provider, person());
      const back = await browser.submit(page, 'Continue');
      const connection = decodeJwt(back.url.searchParams.get('token') as string).sub;
      const rows = await portal.db.query(
        `select r.connection_id from refresh_tokens r join tenant_connections c on c.user_id = r.user_id
         where c.id = $1 and r.revoked_at is null`,
        [connection],
      );
      expect(rows).toEqual([{ connection_id: connection }]);
    });

    test('leads back to the app’s sign-in page after a cancellation', async () => {
      const browser = newBrowser();
      const flow = await beginFor(browser, asked());
      const page = await browser.visit(wire({ app: flow }));
      const answer = await comeBack(browser, page, provider, { ...person(), cancel: 'yes' } as never);
      expect(answer.text).toContain(`/login?app=${flow}`);
    });

    test('names a wrong callback on a page and does not redirect to it', async () => {
      const answer = await portal.call(
        'GET',
        wire({ state: 'https://evil.example/', tenantId: tenant.code }),
        {
          headers: html,
        },
      );
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      expect(answer.text).toContain('Yours is https://evil.example/.');
    });

    test('refuses a flow of another browser', async () => {
      const flow = await beginFor(newBrowser(), asked());
      expect((await newBrowser().visit(wire({ app: flow }))).status).toBe(400);
    });
  });

  test('keeps a popup connected to its opener on every page and redirect of a sign-in', async () => {
    const opener = async (path: string) =>
      (await fetch(portal.url + path, { redirect: 'manual', headers: html })).headers.get(
        'cross-origin-opener-policy',
      );
    for (const path of [
      `/api/v1/auth/authorize?${new URLSearchParams(asked())}`,
      '/api/v1/auth/consent?flow=x',
      '/api/v1/auth/GOOGLE?app=x',
      '/api/v1/auth/APPLE/callback?state=x',
      '/login?app=x',
      '/login',
      '/dev/openid/auth?client_id=none',
      '/dev/openid/account/none',
    ]) {
      expect([path, await opener(path)]).toEqual([path, 'unsafe-none']);
    }
    for (const path of ['/', '/settings', '/loginx', '/api/v1/auth/identifier/GOOGLE', '/api/docs']) {
      expect([path, await opener(path)]).toEqual([path, 'same-origin-allow-popups']);
    }
  });
});

const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { code: string }).code;

/** The check boxes of a page, and whether they are checked. */
const boxesOf = ({ text }: Visited): Record<string, boolean> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="checkbox" name="(\w+)" value="yes"( checked)?>/g)].map(
      ([, name, checked]) => [name, checked !== undefined],
    ),
  );
