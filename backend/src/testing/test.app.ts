import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AppOptions, createApp } from '../app.factory.js';
import { Environment, parseEnvironment } from '../config/environment.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { requireDocumented } from './documented.answer.js';

export interface TestApp {
  app: NestFastifyApplication;
  /** Its base URL, without a trailing slash. */
  url: string;
  environment: Environment;
  address: DatabaseAddress;
  db: DataSource;
  /** `fetch` below `url`, with JSON in and out. Throws if the response is not as docs/openapi.json says. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads whatever the wire carried
  body: any;
}

/** A separate database, cloned from the migrated template, or without any table. */
export async function createTestDatabase({ empty = false } = {}): Promise<{
  address: DatabaseAddress;
  drop(): Promise<void>;
}> {
  const server = JSON.parse(process.env['TEST_DATABASE'] as string) as DatabaseAddress;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (statement: string) => {
    const client = new pg.Client({ ...server, database: 'postgres' });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await admin(`create database ${name} template ${empty ? 'template1' : 'template_portal'}`);
  return {
    address: { ...server, database: name },
    drop: () => admin(`drop database if exists ${name} with (force)`),
  };
}

/** The whole application on a free port with a separate database. `variables` are environment variables. */
export async function startTestApp(
  variables: Record<string, string> = {},
  options: Pick<AppOptions, 'timeouts'> = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  await mkdir(join(dataDir, 'web', 'app'), { recursive: true });
  await writeFile(join(dataDir, 'web', 'app', 'index.html'), '<!doctype html><title>Portal</title>');
  const environment = parseEnvironment({
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    // Every test calls from the same address.
    SIGN_IN_LIMIT_PER_ADDRESS: '100000',
    MAIL_LIMIT_PER_CLIENT: '100000',
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    ...variables,
  });
  const webRoot = environment.WEB_ROOT ?? join(dataDir, 'web');
  const app = await createApp({ environment, address: database.address, webRoot, ...options });
  await app.listen(environment.PORT, '127.0.0.1');
  const url = `http://localhost:${environment.PORT}`;
  return {
    app,
    url,
    environment,
    address: database.address,
    db: app.get(DataSource),
    call: (method, path, options = {}) => call(url, method, path, options),
    close: async () => {
      await close(app);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A portal on a database that the test starts and removes itself. */
export async function startPortalOn(
  address: DatabaseAddress,
  variables: Record<string, string> = {},
): Promise<Instance> {
  const fixed = { NODE_ENV: 'test', LOG_LEVEL: 'error', PORTAL_SECRET: 's'.repeat(32) };
  const environment = parseEnvironment({ ...fixed, ...variables });
  return startAnother({ environment, address });
}

type Instance = Pick<TestApp, 'app' | 'url' | 'db' | 'call' | 'close'>;

/** Another instance of the same portal: on the same database, with the same secrets, on a separate port. */
export async function startAnother(
  portal: Pick<TestApp, 'environment' | 'address'>,
  webRoot = '/nonexistent',
): Promise<Instance> {
  const port = await freePort();
  const environment = { ...portal.environment, PORT: port };
  const app = await createApp({ environment, address: portal.address, webRoot });
  await app.listen(port, '127.0.0.1');
  const url = `http://localhost:${port}`;
  return { app, url, db: app.get(DataSource), call: callAt(url), close: () => close(app) };
}

/** Closes without the 300 ms that a portal leaves to its connected clients: `fetch` keeps its connections open. */
function close(app: NestFastifyApplication): Promise<void> {
  (app.getHttpServer() as Server).closeIdleConnections();
  return app.close();
}

async function call(url: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const { status, headers } = response;
  const answer: Answer = { status, headers, text, body: isJson ? JSON.parse(text) : text };
  requireDocumented(method, path, answer);
  takeRequestId(answer);
  return answer;
}

/** Every response has an id, which an error's body repeats; it is left out here, so that tests can compare errors. */
export function takeRequestId(answer: Answer): void {
  const { headers, status, body } = answer;
  const id = headers.get('x-request-id');
  if (id === null) throw new Error('The response has no X-Request-Id');
  if (status < 400 || typeof body?.code !== 'string') return;
  if (body.requestId !== id) throw new Error(`The error has the request id ${body.requestId}, not ${id}`);
  delete body.requestId;
  answer.text = answer.text.replace(`,"requestId":"${id}"`, '');
}

/** `TestApp.call` for a portal in a separate process. */
export const callAt =
  (url: string): TestApp['call'] =>
  (method, path, options = {}) =>
    call(url, method, path, options);

// Below the ports that systems give to outgoing connections, one of which could take a port before it is used. Each
// Jest worker has a share of its own, and gives out each port once.
const firstPort = 11_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % 8) * 2_500;
let portsTaken = randomInt(2_500);

/** A port on which nothing listens, and that no other test of this run is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (portsTaken++ % 2_500);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
