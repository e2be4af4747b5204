import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createServer, connect, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConfigurationError } from '../config/environment.js';
import { readOrWriteOnce } from '../config/write.once.js';
import { locatePostgres, PostgresBinaries, rootHome } from './postgres.binaries.js';

/** How to reach a database; `host` may be a folder with a Unix socket. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl?: boolean | object;
}

export interface EmbeddedPostgres {
  address: DatabaseAddress;
  /** Where its log is, for error messages. */
  logFile: string;
  /** Stops the server ('fast': open transactions are rolled back). */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** Called with one line per long step. */
  log?: (line: string) => void;
  /** Further server settings, `name=value`. */
  settings?: string[];
  /** Test clusters need not survive a power cut. */
  throwaway?: boolean;
}

const user = 'portal';
const database = 'portal';
/**
 * glibc gives memory above this back to the system at the end of each statement, and faults it in again for the next:
 * with its default, 128 kB, that was a fifth of what PostgreSQL spent on storing one call. In bytes per connection. docker-compose.yml sets the same.
 */
export const keptMemory = { MALLOC_TRIM_THRESHOLD_: '2097152' };

/**
 * Starts the embedded PostgreSQL of a data folder, making the cluster at the first start, and returns when it
 * accepts connections. A server left behind by a killed process is used as it is; a stale pid file is cleared.
 * It listens on a Unix socket in a folder only its user (and root) can enter, so it needs no password and no port.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const binaries = await locatePostgres(import.meta.filename);
  const id = clusterId(options.dataDir);
  const home = binaries.runAs === null ? options.dataDir : join(rootHome, 'clusters', id);
  const cluster = join(home, 'postgres');
  const logFile = join(home, 'postgres.log');
  const socketDir = await privateFolder(join(tmpdir(), `orange-portal-${id}`), binaries);
  // Before anything is made or started, and given back after everything has stopped.
  const lock = await lockDataFolder(socketDir);
  await ownedFolder(home, binaries);

  if (!(await exists(join(cluster, 'PG_VERSION')))) {
    log('Making the database (once) …');
    const fresh = `${cluster}.new`;
    await rm(fresh, { recursive: true, force: true });
    const flags = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', `--username=${user}`];
    await pgRun(
      binaries,
      'initdb',
      [
        ...flags,
        '--auth=trust',
        '--no-instructions',
        ...(options.throwaway ? ['--no-sync'] : []),
        '-D',
        fresh,
      ],
      home,
    );
    await rename(fresh, cluster);
  }

  const address: DatabaseAddress = { host: socketDir, port: 5432, user, database };
  const running = await runningServer(cluster, socketDir);
  if (!running) {
    log('Starting the database …');
    const settings = ['listen_addresses=', 'max_connections=120', 'timezone=UTC', 'log_timezone=UTC'];
    if (options.throwaway) settings.push('fsync=off', 'full_page_writes=off');
    settings.push(...(options.settings ?? []));
    const flags = [`-k "${socketDir}"`, ...settings.map((line) => `-c ${line.replace(/=$/, "=''")}`)].join(
      ' ',
    );
    await pgRun(
      binaries,
      'pg_ctl',
      ['start', '-w', '-s', '-t', '60', '-D', cluster, '-l', logFile, '-o', flags],
      home,
      logFile,
    );
  }
  await createDatabase(address);

  return {
    address,
    logFile,
    stop: async () => {
      await pgRun(
        binaries,
        'pg_ctl',
        ['stop', '-w', '-s', '-t', '60', '-m', 'fast', '-D', cluster],
        home,
        logFile,
      );
      lock.release();
    },
  };
}

/** A server of this data folder that is already there and answers; clears what a dead one left behind. */
async function runningServer(cluster: string, socketDir: string): Promise<boolean> {
  const pidFile = join(cluster, 'postmaster.pid');
  for (let waited = 0; waited < 60_000; waited += 200) {
    const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    const pid = Number(lines[0]);
    if (!pid) return false;
    if (!(await isPostmaster(pid, cluster))) {
      await rm(pidFile, { force: true });
      return false;
    }
    if (
      lines[4] === socketDir &&
      (await accepts({ host: socketDir, port: 5432, user, database: 'postgres' }))
    ) {
      return true;
    }
    await delay(200);
  }
  throw new Error(`the database in ${cluster} neither accepts connections nor ends; see its log`);
}

/** Whether that process is the postmaster of this cluster and not another one that was given its number. */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (command !== null) return command.split('\0').includes(cluster);
  return process.platform !== 'linux';
}

async function accepts(address: DatabaseAddress): Promise<boolean> {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(address: DatabaseAddress): Promise<void> {
  const client = new pg.Client({ ...address, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      address.database,
    ]);
    if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(address.database)}`);
  } finally {
    await client.end();
  }
}

/** A random name kept in the data folder, so that a new clone at an old path never meets the old clone's database. */
const clusterId = (dataDir: string): string =>
  readOrWriteOnce(join(dataDir, 'cluster.id'), () => randomBytes(8).toString('hex'));

/** A folder in the shared temporary folder that nobody else may have prepared for us. */
async function privateFolder(path: string, binaries: PostgresBinaries): Promise<string> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const uid = binaries.runAs?.uid ?? process.getuid?.() ?? 0;
  const found = await lstat(path);
  const isOurs = found.uid === uid || found.uid === process.getuid?.();
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new ConfigurationError(`${path} belongs to somebody else; remove it and start again`);
  }
  if (binaries.runAs) await chown(path, binaries.runAs.uid, binaries.runAs.gid);
  return path;
}

async function ownedFolder(path: string, binaries: PostgresBinaries): Promise<void> {
  if (binaries.runAs === null) return;
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  // Whatever the umask: the unprivileged user must get to its own folder.
  await chmod(parent, 0o755);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chown(path, binaries.runAs.uid, binaries.runAs.gid);
}

/** Runs a PostgreSQL program to its end; a failure says what it printed. */
function pgRun(
  binaries: PostgresBinaries,
  name: string,
  args: string[],
  cwd: string,
  logFile?: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(binaries.dir, 'bin', name), args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...keptMemory },
      stdio: ['ignore', 'ignore', 'pipe'],
      // Of its own session: a Ctrl-C in the terminal must reach the portal only, which stops the database last.
      detached: true,
      ...(binaries.runAs ?? {}),
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
    child.on('error', reject);
    child.on('exit', async (code) => {
      child.stderr.destroy();
      if (code === 0) return resolve();
      const tail = logFile
        ? (await readFile(logFile, 'utf8').catch(() => '')).split('\n').slice(-8).join('\n')
        : '';
      reject(new Error(`${name} ended with code ${code}: ${said.trim()}${tail ? `\n${tail}` : ''}`));
    });
  });
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Makes sure that one portal at a time uses an embedded database: holds a Unix socket, which the kernel gives back
 * even after `kill -9`. On Linux it is one without a file, elsewhere a dead one's file is removed first. Throws a
 * one-line error when another portal is running.
 */
async function lockDataFolder(socketDir: string): Promise<{ release(): void }> {
  const isAbstract = process.platform === 'linux';
  const path = `${isAbstract ? '\0' : ''}${join(socketDir, 'portal.lock')}`;
  for (;;) {
    const server = await listen(path);
    if (server) return { release: () => void server.close() };
    if (await isAnswered(path)) {
      throw new ConfigurationError(
        'DATA_DIR is in use by a portal that is already running; stop it first, or give this one another folder; ' +
          'for example DATA_DIR=/tmp/another-portal PORT=3001',
      );
    }
    if (!isAbstract) await rm(path, { force: true });
  }
}

const listen = (path: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(path, () => resolve(server));
  });

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
