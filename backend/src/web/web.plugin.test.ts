import { defaultAvatar } from '@orange-id/contract/avatar.rule';
import { docsMarkdown, gamesGuideMarkdown, llmsText } from '@orange-id/contract/docs.markdown';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startAnother, startTestApp, type TestApp } from '../testing/test.app.js';
import { encodingOf } from '../http/encoded.body.js';
import { publicConfigOf } from '../config/config.controller.js';
import { parseEnvironment } from '../config/environment.js';
import { webPlugin } from './web.plugin.js';

const boot = "document.documentElement.dataset.theme = 'dark';";
const shell =
  `<script>${boot}</script>` +
  '<title>{{title}}</title><meta content="{{description}}"><link href="{{address}}"><script type="application/json" id="portal-config">{{config}}</script><div id="root"></div>';
const landing = `${shell}<a href="{{links.docs}}">{{publicUrl.protocol}}//<wbr/>{{publicUrl.host}}/x {{unknown.mark}} {{links}} {{links.docs.href}}</a><a data-if="links.gameForm" href="{{links.gameForm}}">Form</a><a data-if="links.gameListing" href="{{links.gameListing}}">List</a>`;
const script = `export const text = '${'long enough to be worth compressing '.repeat(60)}';`;

const pinned = 'orange-id.0123456789abcdef.js';

describe('the browser application', () => {
  let portal: TestApp;
  let WEB_ROOT: string;

  beforeAll(async () => {
    WEB_ROOT = await mkdtemp(join(tmpdir(), 'portal-test-'));
    await mkdir(join(WEB_ROOT, 'app/assets'), { recursive: true });
    await writeFile(join(WEB_ROOT, 'app/index.html'), shell);
    await writeFile(join(WEB_ROOT, 'app/landing.html'), landing);
    await writeFile(join(WEB_ROOT, 'app/assets/page-1.js'), script);
    await writeFile(join(WEB_ROOT, 'app/icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(WEB_ROOT, 'app', defaultAvatar.path), 'a photo');
    await mkdir(join(WEB_ROOT, 'sdk'));
    await mkdir(join(WEB_ROOT, 'playground/sample'), { recursive: true });
    await writeFile(join(WEB_ROOT, 'playground/sample/index.html'), 'the sample');
    for (const file of ['sample/game.js', 'report.js', 'sw.js'])
      await writeFile(join(WEB_ROOT, 'playground', file), script);
    await writeFile(join(WEB_ROOT, 'sdk/orange-game.js'), script);
    await writeFile(join(WEB_ROOT, 'sdk/orange-game-sdk.tgz'), gzipSync(script));
    await mkdir(join(WEB_ROOT, 'widget/configurator'), { recursive: true });
    for (const page of ['index', 'preview'])
      await writeFile(join(WEB_ROOT, `widget/configurator/${page}.html`), page);
    await writeFile(join(WEB_ROOT, 'widget/login.js'), script);
    for (const name of ['orange-id.js', pinned]) await writeFile(join(WEB_ROOT, 'widget', name), script);
    await writeFile(
      join(WEB_ROOT, 'widget/orange-id.json'),
      JSON.stringify({ file: pinned, integrity: 'sha384-abc' }),
    );
    await writeFile(join(WEB_ROOT, 'app/assets/page-1.js.br'), brotliCompressSync(script));
    await writeFile(join(WEB_ROOT, 'app/assets/page-1.js.gz'), gzipSync(script));
    portal = await startTestApp({
      LINK_GAME_FORM: 'https://forms.example.com',
      LINK_GAME_LISTING: 'none',
      WEB_ROOT,
      LINK_DOCS: 'https://docs.example.com/?a=1&b="</script><b>',
    });
  });
  afterAll(async () => {
    await portal.close();
    await rm(WEB_ROOT, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${portal.url}${path}`, { headers });

  test('the root path returns the prerendered page with the texts of the configuration', async () => {
    const page = await get('/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    // A callback page has tokens in its URL.
    expect((await get('/auth/callback?token=x')).headers.get('cache-control')).toBe('no-store');
    const html = await page.text();
    expect(html).toContain('<title>Orange ID developer portal</title>');
    const { protocol, host } = new URL(portal.url);
    expect(html).toContain(`${protocol}//<wbr/>${host}/x {{unknown.mark}} {{links}} {{links.docs.href}}`);
    expect(html).toContain('<a data-if="links.gameForm" href="https://forms.example.com">Form</a>');
    expect(html).not.toContain('List</a>');
    expect(html).toMatch(/<a href="https:\/\/docs\.example\.com\/\?a=1&amp;b=[^"<>]*">/);
  });

  test('the page contains the configuration as the API returns it, and no value can close its script element', async () => {
    const html = await (await get('/faq')).text();
    const [, json] = /id="portal-config">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(String(json))).toEqual(await (await get('/api/config')).json());
    expect(json).not.toContain('<');
  });

  test('each page has its own title, description and URL; an unknown one says that it does not exist', async () => {
    const projects = await (await get('/projects?project=x')).text();
    expect(projects).toContain('<title>My Projects · Orange ID developer portal</title>');
    expect(projects).toContain('content="Your projects, their API keys and allowed URLs."');
    expect(projects).toContain(`<link href="${portal.url}/projects">`);
    const unknown = await get('/no/such/page?x={{title}}');
    expect(unknown.status).toBe(404);
    const html = await unknown.text();
    expect(html).toContain('<title>Page Not Found · Orange ID developer portal</title>');
    expect(html).not.toContain('no/such');
  });

  test('pages and assets are compressed for clients that accept it, and uncompressed for others', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const page = await get('/', { 'accept-encoding': accepted });
      expect([accepted, page.headers.get('content-encoding')]).toEqual([accepted, encoding]);
      expect(page.headers.get('vary')).toContain('accept-encoding');
      expect(await page.text()).toContain('<div id="root">');
    }
    const asset = await get('/assets/page-1.js', { 'accept-encoding': 'gzip, br' });
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(asset.headers.get('content-type')).toContain('javascript');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await asset.text()).toBe(script);
    const plain = await get('/assets/page-1.js', { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, script]);
  });

  test('assets may be cached for ever, other files for a time, pages not at all', async () => {
    const caching = async (path: string) => (await get(path)).headers.get('cache-control');
    expect(await caching('/assets/page-1.js')).toBe('public, max-age=31536000, immutable');
    expect(await caching('/icon.svg')).toBe('public, max-age=3600');
    expect(await caching('/widget/login.js')).toBe('public, max-age=300');
    for (const path of ['/docs.md', '/llms.txt']) expect(await caching(path)).toBe('public, max-age=300');
    for (const path of ['/', '/none', '/api/none']) expect(await caching(path)).toBe('no-store');
  });

  test('the sample game runs without the portal’s origin, and no other file of the playground is served', async () => {
    const sample = await get('/sdk/sample/index.html');
    expect([sample.status, await sample.text()]).toEqual([200, 'the sample']);
    const policy = String(sample.headers.get('content-security-policy'));
    expect(policy).toContain('sandbox allow-scripts allow-pointer-lock');
    expect(policy).not.toContain('allow-same-origin');
    expect(policy).toContain("default-src 'none'");
    for (const path of ['/sdk/sample/game.js', '/sdk/report.js'])
      expect(await (await get(path)).text()).toBe(script);
    for (const path of ['/sdk/sw.js', '/sdk/run.js', '/sdk/sample/..%2fsw.js'])
      expect(await (await get(path)).text()).not.toBe(script);
  });

  test('the configurator and its preview are pages that only this portal frames, and that may request nothing', async () => {
    for (const [path, page] of [
      ['/widget/configurator/', 'index'],
      ['/widget/configurator/preview', 'preview'],
    ] as const) {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, page]);
      expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN');
      const policy = String(answer.headers.get('content-security-policy')).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          `script-src ${portal.url}`,
          "frame-ancestors 'self'",
          "form-action 'none'",
        ]),
      );
      expect(policy.join()).not.toMatch(/connect-src|unsafe-eval|script-src[^,]*unsafe-inline/);
    }
    expect((await get('/widget/constructor')).status).toBe(404);
  });

  test('the loader of other sites is asked for again after five minutes; under its hashed name it may be cached for ever', async () => {
    const loader = await get('/widget/orange-id.js');
    expect(loader.headers.get('cache-control')).toBe('public, max-age=300');
    const etag = String(loader.headers.get('etag'));
    const again = await get('/widget/orange-id.js', {
      'if-none-match': etag,
      // Without it, Node's fetch would forbid caches to answer.
      'cache-control': 'max-age=0',
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const immutable = await get(`/widget/${pinned}`);
    expect(immutable.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await get('/widget/orange-id.fedcba9876543210.js')).status).toBe(404);
    expect(await (await get('/api/config')).json()).toMatchObject({
      loader: { path: `/widget/${pinned}`, integrity: 'sha384-abc' },
    });
  });

  test('a site that pins an earlier build of the loader can load it after an upgrade, on every instance', async () => {
    const root = await mkdtemp(join(tmpdir(), 'portal-upgraded-'));
    const next = 'orange-id.aaaaaaaaaaaaaaaa.js';
    await mkdir(join(root, 'widget'));
    for (const name of ['orange-id.js', next]) await writeFile(join(root, 'widget', name), 'next()');
    const manifest = JSON.stringify({ file: next, integrity: 'sha384-next' });
    await writeFile(join(root, 'widget/orange-id.json'), manifest);
    const upgraded = await startAnother(portal, root);
    try {
      const ask = async (at: string, name: string) => {
        const answer = await fetch(`${at}/widget/${name}`, {
          headers: { origin: 'https://shop.example.com' },
        });
        const headers = ['access-control-allow-origin', 'cross-origin-resource-policy', 'cache-control'].map(
          (each) => answer.headers.get(each),
        );
        return [
          answer.status,
          answer.headers.get('content-type')?.split(';')[0],
          headers,
          await answer.text(),
        ];
      };
      const shared = ['*', 'cross-origin', 'public, max-age=31536000, immutable'];
      expect(await ask(upgraded.url, pinned)).toEqual([200, 'application/javascript', shared, script]);
      // During the upgrade, an instance of the earlier version is asked for the next one's.
      expect(await ask(portal.url, next)).toEqual([200, 'application/javascript', shared, 'next()']);
      expect((await ask(upgraded.url, 'orange-id.fedcba9876543210.js'))[0]).toBe(404);
    } finally {
      await upgraded.close();
      await rm(root, { recursive: true });
    }
  });

  test('the content security policy allows only the inline script that was built into the page', async () => {
    const page = await get('/');
    const hash = createHash('sha256').update(boot).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(await page.text()).toContain(`<script>${boot}</script>`);
  });

  test('an undecodable path is a not-found page to a browser, and an error to other clients', async () => {
    for (const path of ['/%', '/%ff', '/projects/%E0%A4%A?x=%', '/api/%']) {
      const page = await get(path, { accept: 'text/html,*/*' });
      expect(page.status).toBe(404);
      const answer = await get(path, { accept: 'application/json' });
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        400,
        expect.objectContaining({
          code: 'request.invalid',
          message: 'The URL can’t be decoded. Write a percent sign in it as %25',
        }),
      ]);
    }
    const page = await get('/%', { accept: 'text/html' });
    expect(await page.text()).toContain('<title>Page Not Found · Orange ID developer portal</title>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('permissions-policy')).toMatch(/^accelerometer=\(\), camera=\(\), /);
    expect((await get('/%66aq?x=%', { accept: 'text/html' })).status).toBe(200);
  });

  test('the documentation is also served as Markdown with the portal’s address, and listed for language models', async () => {
    for (const [path, type, text] of [
      ['/docs.md', 'text/markdown', docsMarkdown(portal.url, portal.url)],
      [
        '/games-sdk-integration-guide.md',
        'text/markdown',
        gamesGuideMarkdown(portal.url, publicConfigOf(portal.environment).links),
      ],
      ['/llms.txt', 'text/plain', llmsText(portal.url)],
    ] as const) {
      for (const encoding of ['br', 'identity']) {
        const answer = await get(path, { 'accept-encoding': encoding });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
        expect(answer.headers.get('content-encoding')).toBe(encoding === 'br' ? 'br' : null);
        expect(await answer.text()).toBe(text);
      }
    }
  });

  test('games anywhere may load the game SDK, and npm installs its package', async () => {
    const file = await get('/sdk/orange-game.js');
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    expect(file.headers.get('cache-control')).toBe('public, max-age=300');
    expect(file.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const archive = await get('/sdk/orange-game-sdk.tgz');
    expect([archive.status, archive.headers.get('content-encoding')]).toEqual([200, null]);
    expect((await get('/sdk/other.js')).status).toBe(404);
  });

  test('other pages may show the default photo and load the widget, but no other file', async () => {
    const sharing = async (path: string) => (await get(path)).headers.get('cross-origin-resource-policy');
    for (const path of [defaultAvatar.path, '/widget/login.js'])
      expect(await sharing(path)).toBe('cross-origin');
    for (const path of ['/icon.svg', '/assets/page-1.js']) expect(await sharing(path)).toBe('same-origin');
  });

  test('templates are not served as pages, and paths of the API return JSON', async () => {
    for (const path of ['/index.html', '/landing.html']) expect((await get(path)).status).toBe(404);
    const api = await get('/api/none');
    expect([api.status, api.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});

test('a portal whose browser application is not built says so at every page, with 503', async () => {
  const server = Fastify();
  await server.register(webPlugin, {
    root: '/nonexistent',
    pages: { at: () => null, with: () => null, scriptHashes: [] },
    isWidgetShared: false,
    earlierLoader: () => Promise.resolve(null),
    config: publicConfigOf(parseEnvironment({})),
  });
  for (const url of ['/', '/none']) {
    const { statusCode, headers, body } = await server.inject({ url });
    expect([statusCode, headers['content-type'], headers['cache-control'], body]).toEqual([
      503,
      'text/plain',
      'no-store',
      'The browser application is not built. Run: npm run build',
    ]);
  }
  await server.close();
});

test('an encoding with weight 0 is not used', () => {
  expect(encodingOf(undefined)).toBe('identity');
  expect(encodingOf('br;q=0.0,gzip;q=0.5')).toBe('gzip');
  expect(encodingOf('br;q=0.01')).toBe('br');
  expect(encodingOf('brotli')).toBe('identity');
});
