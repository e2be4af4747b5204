import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, request as ask } from 'node:http';
import { exportFormats } from '@orange-id/contract/usage.export.schema';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createPublicClient, encodeErrorResult, getAddress, http, parseAbi } from 'viem';
import type { Hex } from 'viem';
import { UnsecuredJWT } from 'jose';
import { Anvil, startAnvil } from '../testing/anvil.js';
import { HandmadeProvider } from '../testing/handmade.provider.js';
import { foreignToken, HostedIdentity, json, startHostedIdentity } from '../testing/hosted.identity.js';
import { Canary, startCanary, watchConnections } from '../testing/outgoing.connections.js';
import { formOf, sendForm } from '../testing/pictures.js';
import { signedMessage } from '../testing/signed.message.js';
import { signUp } from '../testing/sign.up.js';
import { tokensAt } from '../testing/social.browser.js';
import { freePort, startTestApp, TestApp } from '../testing/test.app.js';
import { TestBrowser } from '../testing/test.browser.js';
import { openApiOf } from './openapi.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Parameters whose URLs servers commonly fetch, sent in addition to those of a route. */
const urlParameters = [
  'url',
  'uri',
  'callback',
  'redirect_uri',
  'state',
  'iss',
  'request_uri',
  'picture',
  'code',
];
/** Sent last, because these requests end the session. */
const isLast = (line: string) => /^POST .*logout$|^DELETE .*sessions$/.test(line);

let canary: Canary;
let node: Anvil;
let google: HandmadeProvider;
let portal: TestApp;
let watch: ReturnType<typeof watchConnections>;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

beforeAll(async () => {
  canary = await startCanary();
  node = await startAnvil();
  google = await HandmadeProvider.start();
  portal = await startTestApp({
    ETH_RPC_URL: node.url,
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: 'our-client',
    GOOGLE_CLIENT_SECRET: 'our secret',
    RATE_LIMIT_PER_ADDRESS: '100000',
    RATE_LIMIT_PER_KEY: '100000',
  });
  watch = watchConnections();
});
afterAll(async () => {
  watch.stop();
  agent.destroy();
  await portal.close();
  await Promise.all([google.close(), node.stop(), canary.close()]);
});

/** Addresses of the canary by each of its names, and others that the portal has no reason to request. */
const corpus = () => [
  `http://127.0.0.1:${canary.port}/a`,
  `http://localhost:${canary.port}/a`,
  `//127.1:${canary.port}/a`,
  `http://2130706433:${canary.port}/a?b#c`,
  `http://canary.example.org:${canary.port}/a.png`,
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  `gopher://127.0.0.1:${canary.port}/_a`,
];

/** Checks that this process connected only to its database, its configured services, and itself. */
function expectSilence(): void {
  expect(canary.hits).toEqual([]);
  const own = [portal.url, node.url, google.issuer].map((url) => new URL(url).port);
  const { host, port } = portal.address;
  const strange = [...watch.to].filter(
    (destination) => !own.includes(destination.split(':').at(-1) as string) && !destination.startsWith(host),
  );
  expect(strange.filter((destination) => destination !== `${host}:${port}`)).toEqual([]);
}

/** One request to the portal, with any `Host` and any target. */
function send(
  method: string,
  target: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; text: string }> {
  const { port } = new URL(portal.url);
  return new Promise((resolve, reject) => {
    const sent = ask({ host: '127.0.0.1', port, method, path: target, headers, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode as number, text }));
    });
    sent.on('error', reject).end(body);
  });
}

/** Headers that contain an address or a host name. */
function headersWith(url: string): Record<string, string> {
  const host = /\/\/([^/]+)/.exec(url)?.[1] ?? 'canary.example.org';
  return {
    host,
    origin: url,
    referer: url,
    forwarded: `for=${host};host=${host};proto=http`,
    'x-forwarded-host': host,
    'x-forwarded-server': host,
    'x-original-url': url,
    'x-rewrite-url': url,
    'x-wap-profile': url,
    'user-agent': url,
    from: url,
    destination: url,
    accept: 'text/html, application/json',
  };
}

/** A body that matches the schema, with the address in every text field. */
function filled(schema: Schema, url: string, schemas: Record<string, Schema>): unknown {
  if (schema.$ref) return filled(schemas[schema.$ref.split('/').at(-1) as string] ?? {}, url, schemas);
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative) return filled(alternative, url, schemas);
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([name, each]) => [name, filled(each, url, schemas)]));
  }
  if (schema.items) return [filled(schema.items, url, schemas)];
  const types = [schema.type].flat();
  if (types.includes('number') || types.includes('integer')) return 1;
  return types.includes('boolean') ? true : url;
}

test('the watcher of these tests sees a connection by name, by address, and when it is refused', async () => {
  const seen = watchConnections();
  await fetch(`http://localhost:${canary.port}/by-name`);
  const nowhere = await freePort();
  await fetch(`http://127.0.0.1:${nowhere}/`).catch(() => undefined);
  seen.stop();
  expect([...seen.to]).toEqual(expect.arrayContaining([`localhost:${canary.port}`, `127.0.0.1:${nowhere}`]));
  watch.to.clear();
  expect(canary.hits.splice(0)).toEqual(['GET /by-name']);
});

describe('an address from a user is never requested', () => {
  test('in the path, the query, the body and the headers of every route, signed in or not', async () => {
    const { paths, components } = openApiOf(portal.app);
    const schemas = (components?.schemas ?? {}) as Record<string, Schema>;
    const routes = Object.entries(paths)
      .flatMap(([path, item]) =>
        Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
          line: `${method.toUpperCase()} ${path}`,
          operation,
        })),
      )
      .sort((one, other) => Number(isLast(one.line)) - Number(isLast(other.line)));
    expect(routes.length).toBeGreaterThan(50);
    const failed: string[] = [];
    for (const url of corpus().filter((_, place) => place % 2 === 0)) {
      const { token } = await signUp(portal);
      const saved = await portal.call('POST', '/api/keys', { token, body: { name: 'Own' } });
      const proofs: Record<string, string>[] = [
        {},
        { authorization: `Bearer ${token}`, 'x-api-key': saved.body.key },
      ];
      for (const { line, operation } of routes) {
        const [method, template] = line.split(' ') as [string, string];
        const named = (operation.parameters ?? []).filter((each) => each.in === 'query');
        const query = new URLSearchParams(
          [...urlParameters, ...named.map(({ name }) => name)].map((name): [string, string] => [name, url]),
        );
        const target = `${template.replace(/\{\w+\}/g, encodeURIComponent(url))}?${query}`;
        const schema = operation.requestBody?.content['application/json']?.schema;
        const body = schema && filled(schema, url, schemas);
        const bodies: [string, string | undefined][] = schema
          ? [
              ['application/json', JSON.stringify(body)],
              ['application/x-www-form-urlencoded', `${new URLSearchParams(body as Record<string, string>)}`],
            ]
          : [['application/json', undefined]];
        for (const [type, text] of bodies) {
          for (const proof of proofs) {
            const length = { 'content-type': type, 'content-length': String(Buffer.byteLength(text ?? '')) };
            const headers: Record<string, string> = {
              ...headersWith(url),
              ...(text === undefined ? {} : length),
              ...proof,
            };
            const { status, text: answer } = await send(method, target, headers, text);
            if (status === 500) failed.push(`${line} ${url}: ${answer}`);
          }
        }
      }
    }
    expect(failed).toEqual([]);
    expectSilence();
  }, 120_000);

  test('in the request target itself, as clients send it to a proxy', async () => {
    for (const url of corpus()) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        expect((await send(method, url, { host: 'canary.example.org' })).status).toBeLessThan(500);
      }
    }
    expectSilence();
  });

  test('in a whitelist, in calls from such an origin, in a profile and in an export of those calls', async () => {
    const { token } = await signUp(portal);
    const whitelistURL = [`http://canary.example.org:${canary.port}/a`, 'https://canary.example.net'];
    const made = await portal.call('POST', '/devportal/v1/project', {
      token,
      body: { projectName: `http://127.0.0.1:${canary.port}`, whitelistURL, source: whitelistURL[0] },
    });
    expect(made.status).toBe(201);
    for (const origin of [...whitelistURL, ...corpus()]) {
      const headers = { 'x-api-key': made.body.apiKey as string, origin, referer: origin };
      for (const path of ['/api/v1/key', `/api/v1/wallet/balance?address=${encodeURIComponent(origin)}`]) {
        expect((await portal.call('GET', path, { headers })).status).not.toBe(500);
      }
      const profile = { displayName: origin, displayDesc: origin };
      const saved = await portal.call('POST', '/api/v1/user/profile', { token, body: profile });
      expect(saved.status).toBe(200);
    }
    for (const format of exportFormats) {
      const asked = await portal.call('POST', '/api/usage/exports', {
        token,
        body: { format, filters: {} },
      });
      expect([format, asked.status]).toEqual([format, 201]);
    }
    expectSilence();
  });

  test('in an uploaded image that refers to others, or in a form that names one instead', async () => {
    const { token } = await signUp(portal);
    const url = `http://127.0.0.1:${canary.port}/picture.png`;
    const svg = (inside: string, before = '') =>
      `<?xml version="1.0"?>${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">${inside}</svg>`;
    const files = [
      svg(`<image href="${url}" width="64" height="64"/><image xlink:href="${url}" width="64" height="64"/>`),
      svg(`<style>@import url(${url});</style><rect style="fill:url(${url}#a)" width="64" height="64"/>`),
      svg('<text>&a;</text>', `<!DOCTYPE svg [<!ENTITY a SYSTEM "${url}">]>`),
      svg('', `<!DOCTYPE svg SYSTEM "${url}">`),
      svg('', `<?xml-stylesheet href="${url}" type="text/css"?>`),
      `push graphic-context\nviewbox 0 0 64 64\nimage over 0,0 64,64 '${url}'\npop graphic-context`,
      `#EXTM3U\n#EXTINF:1,\n${url}\n`,
    ];
    for (const bytes of files) {
      for (const type of ['image/svg+xml', 'image/png']) {
        const form = formOf([{ name: 'file', filename: 'me.svg', type, bytes }]);
        expect((await sendForm(portal, token, form)).status).toBeGreaterThanOrEqual(400);
      }
    }
    for (const name of ['file', 'picture', 'url', 'image']) {
      expect((await sendForm(portal, token, formOf([{ name, bytes: url }]))).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    expectSilence();
  });

  test('in a contract that refers to a gateway (ERC-3668), called as the smart account of a sign-in', async () => {
    const account = getAddress('0x00000000000000000000000000000000000cc1b0');
    const lookup = encodeErrorResult({
      abi: parseAbi([
        'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)',
      ]),
      args: [account, [`http://127.0.0.1:${canary.port}/{sender}/{data}`], '0x12', '0x12345678', '0x'],
    });
    await node.rpc('anvil_setCode', [account, revertingWith(lookup)]);
    // A client that follows the reference does send a request.
    const follows = createPublicClient({ transport: http(node.url) });
    await follows.call({ to: account, data: '0x1626ba7e' }).catch(() => undefined);
    expect(canary.hits.splice(0)).toHaveLength(1);
    watch.to.clear();

    const wallet = { address: account, signMessage: async () => `0x${'12'.repeat(65)}` as Hex };
    const body = await signedMessage(portal, wallet as unknown as PrivateKeyAccount);
    const answer = await portal.call('POST', '/api/v1/message/verify', { body });
    expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
    // The address in the message is not requested either.
    const uri = `http://127.0.0.1:${canary.port}/`;
    const elsewhere = { ...body, message: { ...body.message, uri, domain: `127.0.0.1:${canary.port}` } };
    expect(
      (await portal.call('POST', '/api/v1/message/verify', { body: elsewhere })).status,
    ).toBeGreaterThanOrEqual(400);
    expectSilence();
  });

  test('in the header and the claims of a token that names the location of its keys', async () => {
    const url = `http://127.0.0.1:${canary.port}/jwks`;
    const { token } = await signUp(portal);
    const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
    const unsigned = new UnsecuredJWT({ ...claims, iss: url }).encode();
    const header = { alg: 'ES256', typ: 'JWT', jku: url, x5u: url, kid: url, jwk: { kty: 'EC' } };
    const named = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${unsigned.split('.')[1]}.AAAA`;
    for (const each of [unsigned, named]) {
      expect((await portal.call('GET', '/api/v1/auth/user', { token: each })).status).toBe(401);
      const body = { token: each, refreshToken: url };
      expect((await portal.call('POST', '/api/auth/bedrock', { body })).status).toBeGreaterThanOrEqual(400);
    }
    expectSilence();
  });

  test('in the user data of a provider, or in its redirect', async () => {
    const url = `http://127.0.0.1:${canary.port}/`;
    const browser = new TestBrowser(portal.url);
    const begin = async () => {
      const page = await browser.visit('/api/login?provider=google', { redirects: 1 });
      return new URL(page.headers.get('location') as string);
    };
    const comeBack = (query: URLSearchParams) => browser.visit(`/api/v1/auth/GOOGLE/callback?${query}`);
    google.next = {
      claims: {
        picture: url,
        profile: url,
        website: url,
        name: url,
        _claim_names: { email: 'a' },
        _claim_sources: { a: { endpoint: url, access_token: 'x' } },
      },
    };
    const { token } = tokensAt(await comeBack(google.approve(await begin(), { sub: 'canary-1' })));
    expect((await portal.call('GET', '/api/v1/auth/user', { token })).status).toBe(200);
    google.next = { claims: { iss: url }, header: { jku: url, x5u: url } };
    expect((await comeBack(google.approve(await begin(), { sub: 'canary-2' }))).status).toBeGreaterThan(399);
    google.next = { answer: (response) => void response.writeHead(307, { location: url }).end() };
    expect((await comeBack(google.approve(await begin(), { sub: 'canary-3' }))).status).toBeGreaterThan(399);
    const answer = google.approve(await begin(), { sub: 'canary-4' });
    answer.set('iss', url);
    expect((await comeBack(answer)).status).toBeGreaterThan(399);
    expectSilence();
  });
});

describe('with a hosted identity service', () => {
  let hosted: HostedIdentity;
  let remote: TestApp;
  beforeAll(async () => {
    hosted = await startHostedIdentity();
    remote = await startTestApp({ IDENTITY_URL: hosted.url });
  });
  afterAll(async () => {
    await remote.close();
    await hosted.stop();
  });

  test('the portal requests neither the issuer of a token, nor a photo, nor the target of a redirect', async () => {
    const url = `http://127.0.0.1:${canary.port}/`;
    const read = (token: string) => remote.call('GET', '/devportal/v1/user/projects', { token });
    hosted.answer = json({ id: 'u-1', picture: url, photoUrl: url, profilePicture: url, bio: url });
    expect((await read(foreignToken())).status).toBe(200);
    expect((await read(foreignToken({ iss: url, jku: url, sub: 'u-3' }))).status).not.toBe(500);
    hosted.answer = (_request, response) => void response.writeHead(302, { location: url }).end();
    expect((await read(foreignToken({ sub: 'u-2' }))).status).toBe(503);
    expect(canary.hits).toEqual([]);
  });
});

/** Code that fails every call with these bytes. */
function revertingWith(data: Hex): Hex {
  const length = ((data.length - 2) / 2).toString(16).padStart(4, '0');
  // PUSH2 length, PUSH1 14, PUSH1 0, CODECOPY, PUSH2 length, PUSH1 0, REVERT
  return `0x61${length}600e60003961${length}6000fd${data.slice(2)}`;
}
