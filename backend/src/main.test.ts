import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { version } from '@orange-id/contract/version';
import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { clusterFolders, removeDataFolder } from './database/cluster.folders.js';
import { createTestDatabase, freePort } from './testing/test.app.js';
import { until } from './testing/until.js';

jest.setTimeout(120_000);

/** The built program, as `npm start` runs it, with a separate data folder. */
const program = join(__dirname, '..', 'dist', 'main.js');

describe('the program', () => {
  let dataDir: string;
  let port: number;
  let running: ChildProcess | undefined;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'portal-main-'));
    port = await freePort();
  });
  afterAll(async () => {
    if (running && running.exitCode === null && running.signalCode === null) {
      running.kill('SIGTERM');
      await once(running, 'exit');
    }
    removeDataFolder(dataDir);
  });

  const run = (variables: Record<string, string> = {}, ...args: string[]) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { text: '' };
    child.stdout.on('data', (chunk) => (output.text += chunk));
    child.stderr.on('data', (chunk) => (output.text += chunk));
    return { child, output };
  };

  const started = async (variables: Record<string, string> = {}) => {
    const { child, output } = run(variables);
    running = child;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output.text}`);
      if (output.text.includes(`http://localhost:${port}`)) return { child, output };
      await once(child.stdout!, 'data');
    }
  };

  const ended = async (child: ChildProcess): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    return child.exitCode;
  };

  const cluster = async () => {
    const id = (await readFile(join(dataDir, 'cluster.id'), 'utf8')).trim();
    return join(clusterFolders(id, { dataDir, asRoot: process.getuid?.() === 0 }).home, 'postgres');
  };
  const postmaster = async () =>
    readFile(join(await cluster(), 'postmaster.pid'), 'utf8').then(
      (text) => Number(text.split('\n')[0]),
      () => null,
    );
  /** A zombie process keeps its pid but has no command line. */
  const isAlive = (pid: number) =>
    readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (command) => command !== '',
      () => false,
    );

  test('starts on an empty folder, survives kill -9, and SIGTERM leaves no process behind', async () => {
    const first = await started();
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
    const database = (await postmaster()) as number;
    expect(await isAlive(database)).toBe(true);
    const portal = `http://localhost:${port}`;
    await until('the last line of the start', () => first.output.text.includes('Ctrl-C'));
    expect(first.output.text.split('\n').filter(Boolean)).toEqual([
      'Creating the database (first start only) …',
      'Starting the database …',
      `  Orange ID developer portal ${version}: ${portal}`,
      '  Open it and choose Start Building to create an account with your email or a browser wallet.',
      '  Google and Apple work too: a built-in provider stands in until you set their credentials.',
      `  SMTP_URL isn't set, so emails aren't sent. Read them at ${portal}/dev/mailbox`,
      `  Stop with Ctrl-C; your data stays in ${dataDir}`,
    ]);

    first.child.kill('SIGKILL');
    await ended(first.child);
    const second = await started();
    expect(await postmaster()).toBe(database);
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);

    const rival = run({ PORT: String(await freePort()) });
    expect(await ended(rival.child)).toBe(1);
    expect(rival.output.text).toBe(
      'DATA_DIR is in use by a portal that is already running; stop it first, or give this one another folder; ' +
        'for example DATA_DIR=/tmp/another-portal PORT=3001\n',
    );
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);

    second.child.kill('SIGTERM');
    expect(await ended(second.child)).toBe(0);
    expect(second.output.text).toMatch(/Stopping: finishing in-flight requests …\nStopped\n$/);
    expect(await isAlive(database)).toBe(false);
    expect(await postmaster()).toBeNull();

    const third = await started();
    third.child.kill('SIGINT');
    expect(await ended(third.child)).toBe(0);
    expect(third.output.text).toContain('Stopping: finishing in-flight requests …');
    expect(await postmaster()).toBeNull();
  });

  test('in production each line is JSON, and the last one says why the start failed', async () => {
    const { child, output } = run({ NODE_ENV: 'production' });
    expect(await ended(child)).toBe(1);
    const last = JSON.parse(output.text.trim().split('\n').at(-1) as string);
    expect(last).toMatchObject({ level: 'fatal', context: 'Portal', version });
    expect(last.msg).toContain('PORTAL_SECRET');
  });

  test('a killed database is restarted while the portal runs', async () => {
    const { child, output } = await started();
    const before = (await postmaster()) as number;
    process.kill(before, 'SIGKILL');
    await until('another one is there', async () => ![null, before].includes(await postmaster()), 60_000);
    const isReady = async () => (await fetch(`http://localhost:${port}/health/ready`)).status === 200;
    await until('the portal is ready', isReady, 60_000);
    expect((await fetch(`http://localhost:${port}/health/live`)).status).toBe(200);
    expect(output.text.match(/The embedded database stopped unexpectedly. Restarting it/g)).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(await postmaster()).toBeNull();
  });

  const linuxTest = process.platform === 'linux' ? test : test.skip;
  linuxTest('no second database is started while a process of the killed one still writes', async () => {
    const { child, output } = await started();
    const before = (await postmaster()) as number;
    const id = (await readFile(join(dataDir, 'cluster.id'), 'utf8')).trim();
    const host = join(tmpdir(), `orange-portal-${id}`);
    const client = new pg.Client({ host, user: 'portal', database: 'portal' });
    client.on('error', () => undefined);
    await client.connect();
    const orphan = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number;
    // A database process in an endless loop does not notice that its server is gone, and keeps running.
    const busy = client.query('do $$ begin loop end loop; end $$').catch(() => undefined);
    process.kill(before, 'SIGKILL');
    try {
      await until('an attempt has failed', () => output.text.includes('cannot be started yet'), 60_000);
      expect(await postmaster()).toBeNull();
      expect(await isAlive(orphan)).toBe(true);
    } finally {
      process.kill(orphan, 'SIGKILL');
    }
    await busy;
    const isReady = async () => (await fetch(`http://localhost:${port}/health/ready`)).status === 200;
    await until('the portal is ready', isReady, 60_000);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(await postmaster()).toBeNull();
  });

  test('a portal whose database cannot be restarted stays alive, and SIGTERM ends it with exit code 0', async () => {
    const { child, output } = await started();
    const database = (await postmaster()) as number;
    const control = join(await cluster(), 'global', 'pg_control');
    await rename(control, `${control}.away`);
    process.kill(database, 'SIGQUIT');
    await until('an attempt has failed', () => output.text.includes('cannot be started yet'), 60_000);
    expect((await fetch(`http://localhost:${port}/health/live`)).status).toBe(200);
    const ready = await fetch(`http://localhost:${port}/health/ready`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(await isAlive(database)).toBe(false);
    expect(await postmaster()).toBeNull();
    await rename(`${control}.away`, control);
  });

  test('after SIGTERM it serves for DRAIN_SECONDS without being ready, and a second signal stops it at once', async () => {
    const { child } = await started({ DRAIN_SECONDS: '600' });
    child.kill('SIGTERM');
    const ready = () => fetch(`http://localhost:${port}/health/ready`);
    await until('it is not ready', async () => (await ready()).status === 503);
    expect(await (await ready()).json()).toMatchObject({ code: 'portal.stopping' });
    const config = await fetch(`http://localhost:${port}/api/config`);
    expect([config.status, config.headers.get('connection')]).toEqual([200, 'close']);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(await postmaster()).toBeNull();
  });

  test('an endless request is cut after SHUTDOWN_SECONDS, and the database still stops', async () => {
    const { child } = await started({ SHUTDOWN_SECONDS: '1' });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('POST /api/v1/auth/email/login HTTP/1.1\r\nhost: localhost\r\n');
    socket.write('content-type: application/json\r\ncontent-length: 1000\r\n\r\n{');
    expect((await fetch(`http://localhost:${port}/health/live`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(await postmaster()).toBeNull();
    socket.destroy();
  });

  test('a database that cannot be stopped gives one line with the reason, and exit code 1', async () => {
    const { child, output } = await started();
    const database = (await postmaster()) as number;
    const version = join(await cluster(), 'PG_VERSION');
    await rename(version, `${version}.away`);
    child.kill('SIGTERM');
    const code = await ended(child);
    await rename(`${version}.away`, version);
    process.kill(database, 'SIGINT');
    await until('the database has stopped', async () => (await postmaster()) === null, 60_000);
    expect(code).toBe(1);
    expect(output.text).toContain('is not a database cluster directory');
  });

  test('two portals start at once on an empty folder: one runs, and the other prints one line with the reason', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'portal-main-'));
    const ports = [await freePort(), await freePort()];
    const pair = ports.map((at) => run({ DATA_DIR: empty, PORT: String(at) }));
    const loser = await Promise.race(pair.map(async (one) => (await ended(one.child), one)));
    expect(loser.child.exitCode).toBe(1);
    expect(loser.output.text.trim().split('\n').at(-1)).toMatch(/^DATA_DIR is in use by a portal/);
    const winner = pair.find((one) => one !== loser)!;
    while (!winner.output.text.includes('http://localhost:')) await once(winner.child.stdout, 'data');
    winner.child.kill('SIGTERM');
    expect(await ended(winner.child)).toBe(0);
    removeDataFolder(empty);
  });

  test('an invalid variable prints one line and gives exit code 1', async () => {
    const { child, output } = run({ PORT: 'eighty' });
    expect(await ended(child)).toBe(1);
    expect(output.text).toBe(
      'PORT must be a number from 0 to 65535 (it is "eighty"); for example PORT=3000\n',
    );
  });

  test.each([
    [
      { HOST: '999.1.1.1' },
      /^HOST must be a host name or an address \(it is "999\.1\.1\.1"\); for example HOST=/,
    ],
    [
      { DATA_DIR: '/proc/portal' },
      /^DATA_DIR must be a writable folder \(creating .*\); for example DATA_DIR=\.data$/,
    ],
    [{ WEB_ROOT: '/nonexistent' }, /^WEB_ROOT must be a folder with a built app \(it is "\/nonexistent"\)/],
    [
      { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
      /^DATABASE_URL must be a PostgreSQL server that can be reached .*ECONNREFUSED\); for example DATABASE_URL=/,
    ],
  ])('%j prints one line and gives exit code 1', async (variables, line) => {
    const { child, output } = run(variables as Record<string, string>);
    expect(await ended(child)).toBe(1);
    expect(output.text.trim()).toMatch(line);
    expect(output.text.trim()).not.toContain('\n');
    expect(output.text).not.toContain('hunter2');
  });

  test('the command migrate brings the database up to date without serving, and an unknown command is refused', async () => {
    const { address, drop } = await createTestDatabase({ empty: true });
    const DATABASE_URL = `postgres://${address.user}@localhost/${address.database}?host=${encodeURIComponent(address.host)}`;
    const migrated = run({ DATABASE_URL }, 'migrate');
    expect([await ended(migrated.child), migrated.output.text]).toEqual([0, 'The database is up to date.\n']);
    const client = new pg.Client(address);
    await client.connect();
    expect(
      (await client.query('select count(*)::int as count from migrations')).rows[0].count,
    ).toBeGreaterThan(0);
    await client.end();
    const unknown = run({ DATABASE_URL }, 'migrat');
    expect([await ended(unknown.child), unknown.output.text]).toEqual([
      1,
      '"migrat" is not a command; the commands are migrate, backup, restore, admin, check, and none to serve\n',
    ]);
    await drop();
  });

  test('the command check names everything that does not answer at once', async () => {
    const checked = run(
      {
        SMTP_URL: 'smtp://127.0.0.1:1',
        ETH_RPC_URL: 'http://127.0.0.1:1',
        DATABASE_URL: 'postgres://u@127.0.0.1:1/x',
        CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}/x`,
      },
      'check',
    );
    expect(await ended(checked.child)).toBe(1);
    const lines = checked.output.text.trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'SMTP_URL',
      'CLICKHOUSE_URL',
      'ETH_RPC_URL',
    ]);
    expect(lines[1]).toBe(
      'SMTP_URL must be a mail server that accepts this user (asking it failed: ECONNREFUSED)',
    );
  });

  test('a port in use, or an address of another machine, prints one line and gives exit code 1', async () => {
    const holder = await started();
    const other = await mkdtemp(join(tmpdir(), 'portal-main-'));
    const { address, drop } = await createTestDatabase();
    const printedBy = async (variables: Record<string, string>) => {
      const { child, output } = run({
        DATABASE_URL: `postgres://${address.user}@localhost/${address.database}?host=${encodeURIComponent(address.host)}`,
        DATA_DIR: other,
        ...variables,
      });
      expect(await ended(child)).toBe(1);
      return output.text;
    };
    expect(await printedBy({})).toBe(
      `PORT ${port} is in use by another program; choose another one, for example PORT=3001\n`,
    );
    expect(await printedBy({ HOST: '192.0.2.1' })).toBe(
      'HOST must be an address of this machine (it is "192.0.2.1"); for example HOST=127.0.0.1\n',
    );
    holder.child.kill('SIGTERM');
    await ended(holder.child);
    await drop();
    await rm(other, { recursive: true, force: true });
  });
});
