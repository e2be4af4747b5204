import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from './config/database.address.js';
import { removeDataFolder } from './database/cluster.folders.js';
import { findEmbedded, startEmbeddedPostgres } from './database/embedded.postgres.js';
import { SecretsService } from './secrets/secrets.service.js';
import { expectWhole, newLedger, seedCallers, startCallers } from './testing/callers.js';
import { makeOwnCluster, startOwnPostgres } from './testing/own.postgres.js';
import { startEmbeddedServer } from './testing/server.process.js';
import { signUp } from './testing/sign.up.js';
import { callAt } from './testing/test.app.js';
import { until } from './testing/until.js';

describe('backup and restore', () => {
  jest.setTimeout(90_000);
  let undo: (() => Promise<unknown> | void)[] = [];
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-backup-'));
    undo = [() => rm(folder, { recursive: true, force: true })];
  });
  afterEach(async () => {
    for (const act of undo.reverse()) await act();
  });

  /** Runs `node main.js <name> <path>`; resolves to its exit code and what it printed. */
  const run = (name: string, path: string, variables: Record<string, string>) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const main = join(__dirname, '..', 'dist', 'main.js');
      const env = { PATH: process.env['PATH'], NODE_ENV: 'test', ...variables };
      execFile(process.execPath, [main, name, path], { env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), text: stdout + stderr }),
      );
    });
  const connect = async (address: DatabaseAddress | null) => {
    const client = new pg.Client(address as DatabaseAddress);
    client.on('error', () => undefined);
    await client.connect();
    undo.push(() => client.end());
    return client;
  };
  const start = async (dataDir: string) => {
    const server = await startEmbeddedServer(dataDir);
    undo.push(async () => server.isRunning() && server.end('SIGKILL'));
    return server;
  };
  const dataFolder = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
    undo.push(() => removeDataFolder(dataDir));
    return dataDir;
  };
  const copy = () => join(folder, 'copy');

  test('a backup under load loses nothing answered before it; elsewhere the same person signs in, and keys and usage are there', async () => {
    const dataDir = await dataFolder();
    const server = await start(dataDir);
    const { email, userId } = await signUp({ call: callAt(server.url) });
    await mkdir(join(dataDir, 'pictures'));
    await writeFile(join(dataDir, 'pictures', 'photo.webp'), 'photo');
    const secret = (await readFile(join(dataDir, 'portal.secret'), 'utf8')).trim();
    const client = await connect(await findEmbedded(dataDir));
    const keys = await seedCallers(client, new SecretsService({ current: secret, previous: null }));
    const ledger = newLedger();
    const callers = startCallers(8, () => server.url, keys, ledger);
    await until('200 calls are answered', () => ledger.answered.size >= 200);
    const before = new Set(ledger.answered);
    const made = await run('backup', copy(), { DATA_DIR: dataDir });
    expect(made).toMatchObject({
      code: 0,
      text: expect.stringContaining('Pictures: copied. Secret: copied.'),
    });
    expect(ledger.answered.size).toBeGreaterThan(before.size + 20);
    await callers.stop();
    expect([ledger.refusals, ledger.broken]).toEqual([[], 0]);
    await server.end('SIGTERM');

    const elsewhere = await dataFolder();
    expect(await run('restore', copy(), { DATA_DIR: elsewhere })).toMatchObject({ code: 0 });
    const restored = await start(elsewhere);
    const call = callAt(restored.url);
    const body = { email, password: 'a long enough password' };
    const login = await call('POST', '/api/v1/auth/email/login', { body });
    expect([login.status, login.body.user?.id]).toEqual([200, userId]);
    const stored = await expectWhole(await connect(await findEmbedded(elsewhere)), {
      ...ledger,
      answered: before,
    });
    expect(stored).toBeGreaterThanOrEqual(before.size);
    const headers = { 'x-api-key': keys[0]?.key as string };
    expect((await call('GET', '/api/v1/key', { headers })).status).toBe(200);
    expect(await readFile(join(elsewhere, 'pictures', 'photo.webp'), 'utf8')).toBe('photo');
    await restored.end('SIGTERM');
  });

  test('a server is copied by its address, and its archive unpacked into an empty folder is the same database', async () => {
    const server = await startOwnPostgres();
    undo.push(() => server.remove());
    const client = await connect(server.address);
    await client.query('create table kept as select generate_series(1, 1000) as n');
    await client.query('create role plain login');
    const { host, port } = server.address;
    const urlOf = (user: string) =>
      `postgres://${user}@localhost:${port}/portal?host=${encodeURIComponent(host)}`;
    const variables = { DATA_DIR: await dataFolder(), PORTAL_SECRET: 's'.repeat(64) };

    const refused = await run('backup', join(folder, 'refused'), {
      ...variables,
      DATABASE_URL: urlOf('plain'),
    });
    expect(refused.code).toBe(1);
    expect(refused.text).toContain('alter role "plain" replication');

    const made = await run('backup', copy(), { ...variables, DATABASE_URL: urlOf('portal') });
    expect(made).toMatchObject({ code: 0, text: expect.stringContaining('in PORTAL_SECRET, not copied') });
    const told = await run('restore', copy(), variables);
    expect(told).toMatchObject({
      code: 0,
      text: expect.stringMatching(/unpack .*base\.tar into an empty data folder/),
    });

    const target = await makeOwnCluster();
    undo.push(() => target.remove());
    const { uid, gid } = await stat(target.folder);
    await rm(target.folder, { recursive: true });
    await mkdir(target.folder, { mode: 0o700 });
    await new Promise((resolve) =>
      execFile('tar', ['-xof', join(copy(), 'base.tar'), '-C', target.folder], resolve),
    );
    for (const name of await readdir(target.folder, { recursive: true }))
      await chown(join(target.folder, name), uid, gid);
    await chown(target.folder, uid, gid);
    const unpacked = await startEmbeddedPostgres({ dataDir: target.dataDir });
    undo.push(() => unpacked.stop());
    const { rows } = await (await connect(unpacked.address)).query('select count(*)::int as count from kept');
    expect(rows).toEqual([{ count: 1000 }]);
  });

  test('only its owner can read a backup; neither command overwrites anything, and an incomplete backup is refused', async () => {
    const { dataDir, remove } = await makeOwnCluster();
    undo.push(remove);
    await writeFile(join(dataDir, 'portal.secret'), 's'.repeat(64), { mode: 0o600 });
    const empty = join(folder, 'empty');
    expect(await run('backup', dataDir, { DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      text: `${dataDir} must be empty or missing to be the folder of a backup\n`,
    });
    expect((await run('backup', copy(), { DATA_DIR: dataDir })).code).toBe(0);
    for (const name of ['', 'base.tar', 'backup_manifest', 'backup.json', 'portal.secret']) {
      expect([name, (await stat(join(copy(), name))).mode & 0o077]).toEqual([name, 0]);
    }
    expect(await run('restore', copy(), { DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      text: `${dataDir} must be empty or missing to be DATA_DIR\n`,
    });
    expect((await run('restore', folder, { DATA_DIR: empty })).text).toContain('has no complete backup');
    expect((await run('backup', join(folder, 'other'), { DATA_DIR: empty })).text).toContain(
      'without cluster.id',
    );
    await appendFile(join(copy(), 'base.tar'), 'x');
    expect((await run('restore', copy(), { DATA_DIR: empty })).text).toContain('copy the backup again');
    await rm(join(copy(), 'backup.json'));
    expect((await run('restore', copy(), { DATA_DIR: empty })).text).toContain('has no complete backup');
    expect(await run('backup', '', { DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      text: expect.stringContaining('backup needs a folder'),
    });
  });
});
