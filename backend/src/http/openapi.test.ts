import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { brandPalette } from '@orange-id/contract/brand.palette';
import { providers } from '@orange-id/contract/sign-in.methods';
import { signUpIn, comeBack, settle, signInAs } from '../testing/social.browser.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { TestBrowser } from '../testing/test.browser.js';
import { openApiText } from '../openapi.text.js';

describe('the OpenAPI document', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ TENANT_ID: 'orange-canary0000', SUBSCRIPTION_KEY: 'canary-subscription' });
  });
  afterAll(() => portal.close());

  test('is served, and is the same without a database or configuration', async () => {
    const answer = await portal.call('GET', '/api/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body.openapi).toBe('3.1.0');
    expect(answer.text).not.toMatch(/canary|localhost/);
    expect(answer.body).toEqual(JSON.parse(await openApiText()));
  });

  test("the metered routes have the contract's parameters, responses and samples", async () => {
    const { paths } = (await portal.call('GET', '/api/openapi.json')).body;
    const { get } = paths['/api/v1/wallet/balance'];
    expect(get.security).toEqual([{ apiKey: [] }]);
    expect(get.parameters).toMatchObject([{ name: 'address', in: 'query', required: false }]);
    const answer = get.responses['200'].content['application/json'];
    expect(Object.keys(answer.schema.properties)).toEqual([
      'address',
      'balance',
      'currency',
      'usd_value',
      'usd_reason',
    ]);
    expect(Object.keys(answer.example)).toEqual(['address', 'balance', 'currency', 'usd_value']);
    expect(get.responses['401'].content['application/json'].example.message).toBe('Invalid API key');
  });

  test('the query parameters of GET /api/login are described', async () => {
    const { paths } = (await portal.call('GET', '/api/openapi.json')).body;
    const { parameters } = paths['/api/login'].get;
    expect(parameters).toMatchObject([
      {
        name: 'provider',
        in: 'query',
        required: true,
        schema: { type: 'string', enum: ['google', 'apple'] },
      },
      { name: 'tab', in: 'query', required: false, schema: { type: 'string', pattern: '^[\\w-]{22}$' } },
    ]);
    expect(parameters.map(({ description }: { description: string }) => description)).toEqual([
      'The provider to sign in with. It has no default.',
      'A random value that is added to the callback URL, so that the page can tell its own sign-ins from links made by others. Left out if missing or malformed.',
    ]);
  });

  test('every operation is in exactly one group, and calls with an API key come first', async () => {
    const { tags, paths } = (await portal.call('GET', '/api/openapi.json')).body;
    const used = Object.values<Record<string, { tags: string[] }>>(paths)
      .flatMap((path) => Object.values(path))
      .map((operation) => operation.tags);
    expect(used.filter((names) => names.length !== 1)).toEqual([]);
    const names = tags.map(({ name }: { name: string }) => name);
    expect(new Set(used.flat())).toEqual(new Set(names));
    expect(names[0]).toBe('Calls with an API key');
    expect(names.filter((name: string) => !/^[A-Z]/.test(name))).toEqual([]);
  });

  test('a summary ends without a full stop, a description with one, and both have curly apostrophes', async () => {
    const { info, tags, paths, components } = (await portal.call('GET', '/api/openapi.json')).body;
    const found = (node: unknown, name: string): string[] =>
      Object.entries(node ?? {}).flatMap(([key, value]) =>
        key === name && typeof value === 'string'
          ? [value]
          : typeof value === 'object'
            ? found(value, name)
            : [],
      );
    const summaries = found(paths, 'summary');
    const descriptions = found({ info, tags, paths, components }, 'description');
    expect(summaries.length).toBeGreaterThan(50);
    expect(descriptions.length).toBeGreaterThan(summaries.length);
    expect(summaries.filter((text) => !/^[A-Z][^']*[^.']$/.test(text))).toEqual([]);
    expect(descriptions.filter((text) => !/^[A-Z][^']*\.$/.test(text))).toEqual([]);
  });

  test('lists every status that a browser gets while signing in and linking, and no other', async () => {
    const { paths } = (await portal.call('GET', '/api/openapi.json')).body;
    const isOfProviders = (route: string) => /^\/api\/(login|v1\/auth\/(\w+\/)?(GOOGLE|APPLE)\b)/.test(route);
    const documented = Object.entries<Record<string, { responses: object }>>(paths)
      .filter(([path]) => isOfProviders(path) && !path.includes('/proof/'))
      .flatMap(([path, item]) =>
        Object.entries(item).flatMap(([method, { responses }]) =>
          Object.keys(responses)
            .filter((status) => status !== 'default')
            .map((status) => `${method.toUpperCase()} ${path} ${status}`),
        ),
      );
    const answers = new Set<string>();
    for (const provider of providers) {
      const email = `${provider}@example.com`;
      const visitor = new TestBrowser(portal.url);
      await signInAs(visitor, provider, { email, verified: 'yes' });
      const owner = new TestBrowser(portal.url);
      const account = await signUpIn(owner);
      await settle(owner, account);
      const page = await owner.visit(
        `/api/v1/auth/identifier/${provider.toUpperCase()}?state=${portal.url}/auth/callback&token=${account.token}`,
      );
      const name = provider === 'google' ? 'Google' : 'Apple';
      const there = await owner.submit(page, `Continue with ${name}`);
      await comeBack(owner, there, provider, { email: `other-${email}` });
      for (const answer of [...visitor.answers, ...owner.answers])
        if (isOfProviders(answer.split(' ')[1] as string)) answers.add(answer);
    }
    expect([...answers].sort()).toEqual(documented.sort());
  });

  test('the page that shows it has the fonts, greys and links of the portal, with fonts from its own origin', async () => {
    const library = (await portal.call('GET', '/api/docs/swagger-ui.css')).text;
    expect(library.match(/font-family:(sans-serif|var\(--text-font\))/g)?.length).toBeGreaterThan(30);
    expect(library).not.toMatch(/font-family:(sans-serif|monospace)/);
    // Swagger UI's slate, blue-grey and link blue; a new version with other colours needs new replacements.
    expect(library).not.toMatch(/#(3b4151|1c2022|2a2e30|545d61|4990e2|51a8ff)/i);
    expect(library).toContain(brandPalette.light.colorText);
    expect(library).toContain(brandPalette.dark.colorBgContainer);
    const ours = (await portal.call('GET', '/api/docs/portal.css')).text;
    expect(ours).toMatch(/--text-font: 'Inter Variable'/);
    expect(ours.match(/url\([^)]*\)/g)).toEqual([
      "url('/fonts/inter.woff2')",
      "url('/fonts/jetbrains-mono.woff2')",
    ]);
    const page = await fetch(`${portal.url}/api/docs`);
    expect(page.headers.get('content-security-policy')).toContain("font-src 'self'");
  });

  test('bodies and responses come from the schemas, and every reference resolves', async () => {
    const document = (await portal.call('GET', '/api/openapi.json')).body;
    const { post } = document.paths['/devportal/v1/project'];
    const { schema } = post.requestBody.content['application/json'];
    expect(schema.required).toEqual(['projectName', 'whitelistURL']);
    expect(schema.additionalProperties).toBe(false);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Error']));
    expect(document.components.schemas.Error.required).toEqual(['statusCode', 'message', 'error', 'code']);
  });
});

describe('the page that shows the OpenAPI document', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('has no inline script, loads only files of this server, and may be framed by the portal’s pages only', async () => {
    const page = await portal.call('GET', '/api/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(page.text).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=/);
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
    // The icon is a file of the application, which is not built here.
    expect(loaded.splice(loaded.indexOf('/favicon.svg'), 1)).toEqual(['/favicon.svg']);
    expect(loaded).toHaveLength(4);
    for (const path of loaded) {
      const asset = await portal.call('GET', path);
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers.get('x-frame-options')).toBe('DENY');
    }
  });

  test('its large files are compressed for clients that accept that', async () => {
    for (const path of ['/api/openapi.json', '/api/docs/swagger-ui.css', '/api/docs/swagger-ui-bundle.js']) {
      const texts: string[] = [];
      for (const [accepted, encoding] of [
        ['br, gzip', 'br'],
        ['gzip', 'gzip'],
        ['identity', null],
      ] as const) {
        const answer = await portal.call('GET', path, { headers: { 'accept-encoding': accepted } });
        expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, 200, encoding]);
        texts.push(answer.text);
      }
      expect(texts[0]?.length).toBeGreaterThan(10_000);
      expect(new Set(texts).size).toBe(1);
    }
  });

  test.each([
    '/api/docs/index.html',
    '/api/docs/package.json',
    '/api/docs/..%2fpackage.json',
    '/api/docs/absolute-path.js',
  ])('%s is not served', async (path) => {
    expect((await portal.call('GET', path)).status).toBe(404);
  });
});
