import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { limits } from '@orange-id/contract/limits';
import { signInMethods } from '@orange-id/contract/sign-in.methods';
import sharp from 'sharp';
import { signUp } from '../testing/sign.up.js';
import { makeTenant, pageOf, type TestTenant } from '../testing/tenant.page.js';
import { type Answer, startAnother, startTestApp, type TestApp } from '../testing/test.app.js';
import { AppearanceRepository } from './appearance.repository.js';
import { AppearanceService } from './appearance.service.js';
import { panelLookOf } from './panel.look.js';

const site = 'https://app.example.com';

describe('the appearance of a project’s login panel', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  }, 30_000);
  afterAll(() => portal.close());

  const path = ({ code }: TestTenant) => `/api/projects/${code}/appearance`;
  const save = (
    tenant: TestTenant,
    base: number,
    change: Partial<Appearance> = {},
    token = tenant.owner.token,
  ) =>
    portal.call('PUT', path(tenant), {
      token,
      body: { base, appearance: { ...defaultAppearance, ...change }, preview: null },
    });
  const history = async (tenant: TestTenant): Promise<Answer> =>
    portal.call('GET', path(tenant), { token: tenant.owner.token });
  const served = (
    tenant: TestTenant,
    headers: Record<string, string> = {},
    app: Pick<TestApp, 'call'> = portal,
  ) => pageOf(app, site, tenant.code).call('GET', '/api/v1/auth/appearance', { headers });
  const upload = async (tenant: TestTenant, bytes: Buffer, token = tenant.owner.token) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png');
    const response = await fetch(`${portal.url}${path(tenant)}/picture`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return { status: response.status, body: (await response.json()) as { picture: string; code?: string } };
  };
  const logo = (width = 300, height = 60) =>
    sharp({ create: { width, height, channels: 4, background: { r: 200, g: 80, b: 0, alpha: 0.5 } } })
      .png()
      .toBuffer();

  test('is the default until something is saved', async () => {
    const tenant = await makeTenant(portal, [site]);
    expect((await history(tenant)).body).toEqual({ versions: [] });
    expect((await served(tenant)).body).toEqual({
      version: 0,
      appearance: defaultAppearance,
      appName: expect.any(String),
    });
  });

  test('dresses the panel of the script tag: methods in order, title, logo, font and a style of checked values', async () => {
    const tenant = await makeTenant(portal, [site]);
    const panel = (from = site) =>
      pageOf(portal, from, tenant.code).call('GET', '/api/v1/auth/appearance/panel');
    expect((await panel()).body).toEqual({
      methods: ['google', 'apple', 'email', 'wallet'],
      buttons: {
        google: ['Continue with Google'],
        apple: ['Continue with Apple'],
        email: ['Continue with email'],
        wallet: ['Connect Wallet', 'OR'],
      },
      icons: Object.fromEntries(signInMethods.map((method) => [method, expect.stringMatching(/^M[\d.]/)])),
      title: expect.stringMatching(/^Sign in to ./),
      style: expect.any(String),
    });

    const { picture } = (await upload(tenant, await logo())).body;
    const [light, dark] = [
      defaultAppearance.colours.light,
      { ...defaultAppearance.colours.dark, accent: '#6CB2FF' },
    ];
    const change: Partial<Appearance> = {
      methods: ['wallet', 'email'],
      font: 'nunito',
      radius: 20,
      colours: { light, dark },
      logo: { light: picture, dark: 'https://cdn.example.com/dark.png', alt: 'Acme' },
    };
    expect((await save(tenant, 0, change)).status).toBe(200);
    const dressed = await panel();
    const { PUBLIC_URL } = portal.environment;
    expect(dressed.body).toEqual({
      methods: ['wallet', 'email'],
      buttons: { wallet: ['Connect Wallet'], email: ['Continue with email', 'OR'] },
      icons: { wallet: expect.any(String), email: expect.any(String) },
      title: 'Sign in to',
      logo: { src: `${PUBLIC_URL}${picture}`, alt: 'Acme' },
      font: `${PUBLIC_URL}/widget/fonts/nunito.css`,
      style: expect.any(String),
    });
    const style = String(dressed.body.style);
    expect(style).toContain(
      `.main{color:light-dark(${light.buttonText},${dark.buttonText});background:light-dark(${light.accent},#6CB2FF)}`,
    );
    expect(style).toContain("font-family:'Nunito Variable', sans-serif");
    expect(style).toContain('border-radius:20px');
    expect(style).toContain(
      '@media (prefers-color-scheme:dark){img{content:url("https://cdn.example.com/dark.png")}}',
    );

    expect((await save(tenant, 1, { ...change, mode: 'dark', direction: 'rtl' })).status).toBe(200);
    const inDark = (await panel()).body;
    expect(inDark.logo).toEqual({ src: 'https://cdn.example.com/dark.png', alt: 'Acme' });
    expect(inDark.style).toContain(':host{color-scheme:dark}:host{direction:rtl}');
    expect(inDark.style).not.toContain('url(');
    expect((await panel('https://evil.example.com')).body.code).toBe('auth.originNotAllowed');
  });

  test('gives the panel of the script tag the texts, links and layout of the look', () => {
    const picture = 'https://cdn.example.com/shop.jpg';
    const texts = {
      ...defaultAppearance.texts,
      title: 'Join us at',
      walletButton: 'Use a wallet',
      separator: 'Or else',
      termsUrl: 'https://acme.example.com/terms',
      privacyUrl: 'https://acme.example.com/privacy',
    };
    const panel = (change: Partial<Appearance>) =>
      panelLookOf(
        { ...defaultAppearance, ...change },
        { portal: 'https://id.example.com', available: signInMethods, appName: 'Acme' },
      );
    const { title, buttons, legal, style } = panel({ texts, layout: 'pictureRight', picture });
    expect([title, buttons.wallet, buttons.email]).toEqual([
      'Join us at Acme',
      ['Use a wallet', 'Or else'],
      ['Continue with email'],
    ]);
    expect(legal).toEqual([
      [' '],
      ['By continuing, you agree to the '],
      ['Terms', 'https://acme.example.com/terms'],
      [' and the '],
      ['Privacy Policy', 'https://acme.example.com/privacy'],
      ['.'],
    ]);
    expect(style).toContain(`;right:0;width:clamp(0px,(100% - 600px)*9999,50%);background:url("${picture}")`);
    expect(panel({ picture }).style).not.toContain('url(');
    expect(panel({ layout: 'pictureLeft' }).style).not.toContain('url(');
    expect(panel({ layout: 'page' }).style).toContain('.panel{min-height:100%');
    const bare = panel({ texts: { ...texts, walletButton: '', separator: '', termsUrl: '' } });
    expect(bare.buttons.wallet).toEqual(['Connect Wallet', ' ']);
    expect(bare.legal?.map(([text]) => text).join('')).toBe(
      ' By continuing, you agree to the Privacy Policy.',
    );
  });

  test.each([
    'https://a"b.example.com/x.png',
    "https://example.com/a'b.png",
    'https://a)b.example.com/x.png',
  ])('puts no address into the style that could end its url(): %s', (address) => {
    const look: Appearance = {
      ...defaultAppearance,
      logo: { light: '/pictures/1.webp', dark: address, alt: '' },
      layout: 'pictureLeft',
      picture: address,
    };
    expect(panelLookOf(look, { portal: 'https://id.example.com', available: ['email'] }).style).not.toContain(
      'url(',
    );
  });

  test('is in force on every instance as soon as it is saved', async () => {
    const tenant = await makeTenant(portal, [site]);
    const second = await startAnother(portal);
    try {
      expect((await save(tenant, 0, { font: 'inter' })).body).toEqual({ version: 1 });
      const { body } = await served(tenant, {}, second);
      expect([body.version, body.appearance.font]).toEqual([1, 'inter']);
    } finally {
      await second.close();
    }
  });

  test('is read once for all who ask for it at the same time', async () => {
    const tenant = await makeTenant(portal, [site]);
    await save(tenant, 0, { font: 'inter' });
    const rows = portal.app.get(AppearanceRepository);
    const reads = jest.spyOn(rows, 'current').mockResolvedValue(null);
    const requests = Array.from({ length: 30 }, () => portal.app.get(AppearanceService).served('a project'));
    expect((await Promise.all(requests)).map(({ version }) => version)).toEqual(Array(30).fill(0));
    expect(reads).toHaveBeenCalledTimes(1);
    reads.mockRestore();
    expect((await served(tenant)).body.version).toBe(1);
  });

  test('is not sent again to a page that has its version', async () => {
    const tenant = await makeTenant(portal, [site]);
    const tag = (await served(tenant)).headers.get('etag') as string;
    const again = await served(tenant, { 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
    await save(tenant, 0, { radius: 0 });
    expect((await served(tenant, { 'if-none-match': tag })).status).toBe(200);
    const saved = (await served(tenant)).headers.get('etag') as string;
    // The panel's title has the name.
    await portal.db.query(`update projects set project_name = 'Renamed' where code = $1`, [tenant.code]);
    expect((await served(tenant, { 'if-none-match': saved })).body.appName).toBe('Renamed');
  });

  test('keeps the last ten saves, newest first, with who and when', async () => {
    const tenant = await makeTenant(portal, [site]);
    await portal.db.query(`update users set display_name = 'Ada' where id = $1`, [tenant.owner.userId]);
    for (let base = 0; base < 12; base += 1)
      expect((await save(tenant, base, { radius: base })).status).toBe(200);
    const { versions } = (await history(tenant)).body;
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
    expect(versions[0]).toMatchObject({
      savedBy: 'Ada',
      savedAt: expect.any(String),
      appearance: { radius: 11 },
    });
  });

  test('tells the second of two tabs that another save came first', async () => {
    const tenant = await makeTenant(portal, [site]);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, radius) => save(tenant, 0, { radius })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('appearance.changed');
    expect((await history(tenant)).body.versions).toHaveLength(1);
  });

  test('is refused by the name of its field, and stored as it was', async () => {
    const tenant = await makeTenant(portal, [site]);
    for (const [field, change] of [
      ['font', { font: 'x; } *{display:none}' as never }],
      ['logo', { logo: { light: 'javascript:alert(1)', dark: '', alt: '' } }],
      ['texts', { texts: { ...defaultAppearance.texts, title: 'a\u202eb' } }],
    ] as const) {
      const { status, body } = await save(tenant, 0, change);
      expect([status, body.message]).toEqual([400, expect.stringContaining(field)]);
    }
    const large = await save(tenant, 0, {
      texts: { ...defaultAppearance.texts, title: 'x'.repeat(10_000_000) },
    });
    expect(large.status).toBe(413);
    expect((await served(tenant)).body.version).toBe(0);
  });

  test('belongs to the owner: others get 404', async () => {
    const tenant = await makeTenant(portal, [site]);
    const { token } = await signUp(portal);
    expect((await save(tenant, 0, {}, token)).status).toBe(404);
    expect((await portal.call('GET', path(tenant), { token })).status).toBe(404);
    expect((await upload(tenant, await logo(), token)).status).toBe(404);
  });

  test('shows uploaded logos re-encoded, whole and with their transparency', async () => {
    const tenant = await makeTenant(portal, [site]);
    const { status, body } = await upload(tenant, await logo());
    expect(status).toBe(201);
    const response = await fetch(`${portal.url}${body.picture}`);
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const { format, width, height, hasAlpha } = await sharp(
      Buffer.from(await response.arrayBuffer()),
    ).metadata();
    expect({ format, width, height, hasAlpha }).toEqual({
      format: 'webp',
      width: 300,
      height: 60,
      hasAlpha: true,
    });
    const saved = await save(tenant, 0, { logo: { light: body.picture, dark: '', alt: 'Acme' } });
    expect(saved.status).toBe(200);
  });

  test('refuses files that are no raster image, and pictures of another project', async () => {
    const tenant = await makeTenant(portal, [site]);
    const svg = await upload(tenant, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    expect([svg.status, svg.body.code]).toEqual([415, 'profile.pictureInvalid']);
    const other = await makeTenant(portal, ['https://other.example.com']);
    const { picture } = (await upload(other, await logo())).body;
    const { status, body } = await save(tenant, 0, { picture, layout: 'pictureLeft' });
    expect([status, body.code]).toEqual([400, 'appearance.pictureUnknown']);
  });

  test('holds at most forty pictures, also when uploads arrive together', async () => {
    const tenant = await makeTenant(portal, [site]);
    const small = await logo(4, 4);
    const answers = await Promise.all(Array.from({ length: 44 }, () => upload(tenant, small)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(40);
    expect(answers.find(({ status }) => status !== 201)?.body.code).toBe('appearance.picturesLimitReached');
  });

  test('holds at most two hundred pictures in all projects of an account', async () => {
    const full = await makeTenant(portal, [site]);
    const next = await makeTenant(portal, [site], { owner: full.owner, name: 'Next app' });
    await portal.db.query(
      `insert into project_pictures (name, project_id)
       select 'made-' || n, id from projects, generate_series(2, $2) as n where code = $1`,
      [full.code, limits.picturesPerOwner],
    );
    expect((await upload(next, await logo(4, 4))).status).toBe(201);
    const refused = await upload(next, await logo(4, 4));
    expect([refused.status, refused.body.code]).toEqual([409, 'appearance.picturesLimitReached']);
    const other = await makeTenant(portal, [site]);
    expect((await upload(other, await logo(4, 4))).status).toBe(201);
    await portal.db.query(`delete from project_pictures where name like 'made-%'`);
  });

  test('leaves no picture that nothing shows, nor any of a deleted project', async () => {
    const tenant = await makeTenant(portal, [site]);
    const [shown, unused] = [
      (await upload(tenant, await logo())).body,
      (await upload(tenant, await logo())).body,
    ];
    await save(tenant, 0, { logo: { light: shown.picture, dark: '', alt: '' } });
    await portal.db.query(`update project_pictures set created_at = now() - interval '25 hours'`);
    await portal.app.get(AppearanceService).sweep();
    const statusOf = async ({ picture }: { picture: string }) =>
      (await fetch(`${portal.url}${picture}`)).status;
    expect([await statusOf(shown), await statusOf(unused)]).toEqual([200, 404]);
    await portal.call('DELETE', `/api/projects/${tenant.code}`, { token: tenant.owner.token });
    await portal.app.get(AppearanceService).sweep();
    expect(await statusOf(shown)).toBe(404);
  });
});
