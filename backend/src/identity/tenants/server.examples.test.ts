import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ServerLanguage, serverSnippets } from '@orange-id/contract/integration.snippets';
import { SignJWT, UnsecuredJWT, base64url, type CryptoKey, type JWTPayload } from 'jose';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signUp } from '../../testing/sign.up.js';
import { makeTenant, pageOf, type TestTenant } from '../../testing/tenant.page.js';
import { freePort, startTestApp, type TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import { SigningKeysService } from '../tokens/signing-keys.service.js';

const site = 'http://localhost:5173';
const deployed = 'https://app.example.com';
/** Inside the repository, so that the examples find its packages. */
const root = join(__dirname, '../../../..');

const hasJwt = (command: string): boolean => {
  try {
    execFileSync(command, ['-c', 'import jwt, cryptography'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** Debian's Python has Debian's packages, another one on the path may not. */
const python = ['python3', '/usr/bin/python3'].find(hasJwt);

let portal: TestApp;
let tenant: TestTenant;
let folder: string;
beforeAll(async () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'server-examples-'));
  portal = await startTestApp();
  tenant = await makeTenant(portal, [deployed]);
}, 30_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await portal.close();
});

const writeSnippet = (language: ServerLanguage): string => {
  const { file, write } = serverSnippets[language];
  const urls = [deployed, 'https://*.preview.example.com'];
  writeFileSync(join(folder, file), write({ portalUrl: portal.url, projectId: tenant.code, urls }));
  return join(folder, file);
};

const copyTemplate = (): string => {
  for (const file of ['api.mjs', 'main.mjs']) {
    copyFileSync(join(root, 'templates/vite-react/server', file), join(folder, file));
  }
  return join(folder, 'main.mjs');
};

/** Each verifies access tokens in its own way: its command, and how it is written to a file. */
const servers: [string, string, () => string][] = [
  ['the Node.js example', process.execPath, () => writeSnippet('node')],
  ['the server of the template project', process.execPath, copyTemplate],
  ...(python
    ? [['the Python example', python, () => writeSnippet('python')] as [string, string, () => string]]
    : []),
];

if (!python)
  test.skip('the Python example needs python3-jwt and python3-cryptography, which are not installed', () => {});

describe.each(servers)('%s', (_, command, write) => {
  let server: ChildProcess;
  let address: string;
  beforeAll(async () => {
    const port = await freePort();
    address = `http://localhost:${port}/api/me`;
    const env = { ...process.env, PORT: String(port) };
    const ofTemplate = {
      VITE_PORTAL_URL: portal.url,
      VITE_PROJECT_ID: tenant.code,
      APP_ORIGINS: `${site},${deployed}`,
    };
    const own = write === copyTemplate ? ofTemplate : {};
    server = spawn(command, [write()], { cwd: folder, env: { ...env, ...own }, stdio: 'ignore' });
    await until('the server answers', async () => (await fetch(address).catch(() => null)) !== null);
  }, 30_000);
  afterAll(async () => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });

  const ask = async (authorization?: string) => {
    const response = await fetch(address, { headers: authorization ? { authorization } : {} });
    return { status: response.status, body: (await response.json()) as { id?: string; message?: string } };
  };

  /** A token with these claims in place of the right ones, signed with the key of the portal unless another is given. */
  const sign = (claims: JWTPayload, { key = signer().privateKey }: { key?: CryptoKey | Uint8Array } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: portal.url, aud: tenant.code, azp: site, sub: 'somebody', iat: now, exp: now + 60 };
    const alg = key instanceof Uint8Array ? 'HS256' : 'ES256';
    return new SignJWT({ ...right, ...claims }).setProtectedHeader({ alg, kid: signer().kid }).sign(key);
  };
  const signer = () => portal.app.get(SigningKeysService).signer;

  test.each([site, deployed])('accepts a token that the portal issued to a page on %s', async (origin) => {
    const { token, userId } = await signUp(pageOf(portal, origin, tenant.code));
    expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 200, body: { id: userId } });
  });

  test('accepts the claims that each of the following tests changes', async () => {
    expect((await ask(`Bearer ${await sign({})}`)).status).toBe(200);
  });

  test.each<[string, () => string | Promise<string>]>([
    ['of another issuer', () => sign({ iss: 'https://portal.example.org' })],
    ['for another project', () => sign({ aud: 'orange-aaaaaaaaaa' })],
    ['for the portal itself', () => sign({ aud: portal.environment.TENANT_ID })],
    ['without an audience', () => sign({ aud: undefined })],
    ['issued to a page on another origin', () => sign({ azp: 'https://evil.example.com' })],
    ['issued to an origin that only starts like its own', () => sign({ azp: `${deployed}.evil.example` })],
    ['that names no origin', () => sign({ azp: undefined })],
    ['that has expired', () => sign({ exp: Math.floor(Date.now() / 1000) - 120 })],
    ['that never expires', () => sign({ exp: undefined })],
    ['without a signature (alg none)', () => unsigned()],
    ['signed with the public key as a shared secret', async () => sign({}, { key: await publicSecret() })],
    ['with changed claims', async () => changed(await sign({ sub: 'somebody' }))],
    ['of the portal’s own sign-in', () => tenant.owner.token],
    ['that is no token', () => 'no-token'],
  ])('refuses a token %s', async (_, make) => {
    const { status, body } = await ask(`Bearer ${await make()}`);
    expect([status, body.message]).toEqual([401, expect.any(String)]);
  });

  if (write !== copyTemplate) {
    test('accepts a token of the page that it serves itself, and of none that a wildcard covers', async () => {
      expect((await ask(`Bearer ${await sign({ azp: 'http://localhost:8787' })}`)).status).toBe(200);
      expect((await ask(`Bearer ${await sign({ azp: 'https://*.preview.example.com' })}`)).status).toBe(401);
    });

    test('serves the page beside it, also to a sign-in that returns, and no other file', async () => {
      const get = async (path: string) => {
        const response = await fetch(new URL(path, address));
        return [response.status, response.headers.get('content-type'), await response.text()];
      };
      expect((await get('/'))[2]).toMatch(/^Save your page beside server\.(mjs|py) as index\.html\.$/);
      writeFileSync(join(folder, 'index.html'), '<p>My page</p>');
      try {
        for (const path of ['/', '/index.html', '/?token=a.b.c&tab=x']) {
          expect(await get(path)).toEqual([200, 'text/html; charset=utf-8', '<p>My page</p>']);
        }
        for (const path of ['/server.mjs', '/server.py', '/%2e%2e/package.json', '//etc/passwd']) {
          expect((await get(`http://${new URL(address).host}${path}`))[0]).toBe(404);
        }
      } finally {
        rmSync(join(folder, 'index.html'));
      }
    });
  }

  test('refuses a request without a token', async () => {
    expect((await ask()).status).toBe(401);
    expect((await ask('Basic eA==')).status).toBe(401);
  });

  const unsigned = () =>
    new UnsecuredJWT({ azp: site })
      .setSubject('somebody')
      .setIssuer(portal.url)
      .setAudience(tenant.code)
      .setExpirationTime('1 minute')
      .encode();

  const publicSecret = async () =>
    Buffer.from(await (await fetch(`${portal.url}/.well-known/jwks.json`)).text());

  const changed = (token: string) => {
    const [head, body = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(base64url.decode(body)).toString()) as JWTPayload;
    return [head, base64url.encode(JSON.stringify({ ...claims, sub: 'admin' })), signature].join('.');
  };
});
