import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnvironment } from '../config/environment.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';

describe('the playground’s origin', () => {
  let portal: TestApp;
  let WEB_ROOT: string;
  beforeAll(async () => {
    WEB_ROOT = await mkdtemp(join(tmpdir(), 'playground-test-'));
    await mkdir(join(WEB_ROOT, 'playground/sample'), { recursive: true });
    await mkdir(join(WEB_ROOT, 'app'));
    await writeFile(join(WEB_ROOT, 'app/index.html'), 'the portal');
    await writeFile(join(WEB_ROOT, 'playground/sample/index.html'), 'the sample');
    await writeFile(join(WEB_ROOT, 'playground/sw.js'), 'the worker');
    portal = await startTestApp({ WEB_ROOT });
  });
  afterAll(async () => {
    await portal.close();
    await rm(WEB_ROOT, { recursive: true });
  });

  const get = (path: string, host = `playground.localhost:${portal.environment.PORT}`, method = 'GET') =>
    new Promise<{ status?: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
      (resolve, reject) => {
        const asked = request(
          { host: '127.0.0.1', port: portal.environment.PORT, path, method, headers: { host } },
          (answer) => {
            let body = '';
            answer.on('data', (bytes: Buffer) => (body += bytes.toString()));
            answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
          },
        );
        asked.on('error', reject).end();
      },
    );

  test('serves the sample and the worker, under a policy that allows nothing outside it', async () => {
    const { status, headers, body } = await get('/sample/');
    expect([status, body]).toEqual([200, 'the sample']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`frame-ancestors ${portal.url}`);
    expect(policy).toContain("connect-src 'self' data: blob:");
    expect(policy).not.toMatch(/https?:\*|https?:;| \*/);
    expect(headers['origin-agent-cluster']).toBe('?1');
    expect((await get('/sw.js')).headers['content-type']).toContain('javascript');
  });

  test.each([
    ['GET', '/'],
    ['GET', '/api/config'],
    ['GET', '/api/v1/key'],
    ['POST', '/api/v1/auth/refresh'],
    ['GET', '/health/live'],
    ['GET', '/socket.io/?EIO=4&transport=polling'],
    ['GET', '/..%2fapp/index.html'],
    ['GET', '/sample/../../app/index.html'],
  ])('serves nothing of the portal: %s %s', async (method, path) => {
    const { status, headers, body } = await get(path, undefined, method);
    expect([400, 403, 404]).toContain(status);
    expect(body).not.toContain('the portal');
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is not served at the portal’s own origin, whose pages may frame it', async () => {
    const { status, headers } = await get('/sample/', `localhost:${portal.environment.PORT}`);
    expect(status).toBe(404);
    expect(headers['content-security-policy']).toContain(
      `frame-src 'self' http://playground.localhost:${portal.environment.PORT} http://localhost:* http://127.0.0.1:*`,
    );
    expect((await portal.call('GET', '/api/config')).body.playgroundOrigin).toBe(
      `http://playground.localhost:${portal.environment.PORT}`,
    );
  });
});

test('a portal on another host has no playground unless its origin is set, on a host name of its own', () => {
  const PUBLIC_URL = 'https://portal.example.com';
  expect(parseEnvironment({ PUBLIC_URL }).PLAYGROUND_ORIGIN).toBeNull();
  const PLAYGROUND_ORIGIN = 'https://games.example.com';
  expect(parseEnvironment({ PUBLIC_URL, PLAYGROUND_ORIGIN }).PLAYGROUND_ORIGIN).toBe(PLAYGROUND_ORIGIN);
  expect(() => parseEnvironment({ PUBLIC_URL, PLAYGROUND_ORIGIN: PUBLIC_URL })).toThrow(
    /PLAYGROUND_ORIGIN must have another host name than PUBLIC_URL/,
  );
});
