import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, chown, lstat, mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createServer, connect, Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ConfigurationError } from '../config/environment.js';
import { readOrWriteOnce } from '../config/write.once.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { clusterFolders, rootClusters } from './cluster.folders.js';
import { locatePostgres, PostgresBinaries } from './postgres.binaries.js';

export interface EmbeddedPostgres {
  address: DatabaseAddress;
  /** Whether its process exists; it may not accept connections yet. */
  isRunning(): Promise<boolean>;
  accepts(): Promise<boolean>;
  /**
   * Starts the server if it is not running, and resolves when it accepts connections. Rejects with the reason from its
   * log.
   */
  start(): Promise<void>;
  /** Stops the server if it runs ('fast': open transactions are rolled back). */
  halt(): Promise<void>;
  /** Stops it permanently and releases the data folder for another portal. */
  stop(): Promise<void>;
  /** The last line of its log that says why it ended; `null` if there is none. */
  lastWords(): Promise<string | null>;
  /** Free bytes on its file system. */
  room(): Promise<number>;
  /** Cuts its log to the last part if it is larger than `logMaxBytes`. */
  trimLog(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** Called with one line per long step. */
  log?: (line: string) => void;
  /** Further server settings, `name=value`. */
  settings?: string[];
  /** For tests: need not survive a power failure, and is kept in memory if there is enough. */
  throwaway?: boolean;
}

const run = promisify(execFile);
const tailBytes = 65_536;
/** The server logs a line or two for every statement that it refuses. */
export const logMaxBytes = 16 * 1_048_576;

const user = 'portal';
const database = 'portal';
/**
 * glibc returns memory above this threshold to the system at the end of each statement and faults it in again for the
 * next: with its default, 128 kB, that was a fifth of the cost of storing one call in PostgreSQL. In bytes per
 * connection. docker-compose.yml sets the same.
 */
export const keptMemory = { MALLOC_TRIM_THRESHOLD_: '2097152' };

/**
 * Starts the embedded PostgreSQL of a data folder, creates the cluster at the first start, and resolves when it accepts
 * connections. Reuses a server that a killed process left behind, and removes a stale pid file. The server listens on a
 * Unix socket in a folder that only its user (and root) can enter, so it needs no password and no port.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const binaries = await locatePostgres(import.meta.filename);
  const id = clusterId(options.dataDir);
  const { dataDir, throwaway = false } = options;
  const { home, socket } = clusterFolders(id, { dataDir, throwaway, asRoot: binaries.runAs !== null });
  const cluster = join(home, 'postgres');
  const logFile = join(home, 'postgres.log');
  const socketDir = await privateFolder(socket, binaries);
  // Acquired before anything is created or started, and released after everything has stopped.
  const lock = await lockDataFolder(socketDir);
  // As root the cluster lies outside the data folder, so a copy of that folder alone has none.
  if (!throwaway && home !== dataDir && !(await exists(home)) && (await hasServed(dataDir))) {
    lock.release();
    throw new ConfigurationError(
      `DATA_DIR has the file cluster.id of a database that is not on this machine: ${home} is missing; restore that ` +
        `folder, too, or delete ${join(dataDir, 'cluster.id')} to start with an empty database`,
    );
  }
  await homeFolder(home, dataDir, binaries);

  if (!(await exists(join(cluster, 'PG_VERSION')))) {
    log('Creating the database (first start only) …');
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
  const pgCtl = (...args: string[]) =>
    pgRun(binaries, 'pg_ctl', [...args, '-w', '-s', '-t', '60', '-D', cluster], home, logFile);
  const start = async (): Promise<void> => {
    // Removes the pid file of a dead server: its pid may now belong to another process, which PostgreSQL would take for
    // a server. While a process of the dead server still writes, PostgreSQL detects it by its shared memory and does
    // not start.
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    const settings = ['listen_addresses=', 'max_connections=120', 'timezone=UTC', 'log_timezone=UTC'];
    if (options.throwaway) settings.push('fsync=off', 'full_page_writes=off');
    settings.push(...(options.settings ?? []));
    const flags = [`-k "${socketDir}"`, ...settings.map((line) => `-c ${line.replace(/=$/, "=''")}`)].join(
      ' ',
    );
    await pgCtl('start', '-l', logFile, '-o', flags);
  };
  const isRunning = async () => (await findPostmaster(cluster)) !== null;
  const halt = async () => {
    if (await isRunning()) await pgCtl('stop', '-m', 'fast');
  };

  if (!(await runningServer(cluster, address))) {
    log('Starting the database …');
    await start();
  }
  await createDatabase(address);

  return {
    address,
    isRunning,
    accepts: () => accepts(address),
    start,
    halt,
    stop: async () => {
      await halt();
      lock.release();
    },
    lastWords: async () => reasonIn(await endOf(logFile)),
    room: () => freeBytes(cluster),
    trimLog: () => trim(logFile),
  };
}

/** The address of the embedded database of a data folder, if a server runs on it. */
export async function findEmbedded(dataDir: string): Promise<DatabaseAddress | null> {
  if (!(await exists(join(dataDir, 'cluster.id')))) {
    throw new ConfigurationError(
      `DATA_DIR must have a portal's database (it is ${dataDir}, without cluster.id)`,
    );
  }
  const { runAs } = await locatePostgres(import.meta.filename);
  const { home } = clusterFolders(clusterId(dataDir), { dataDir, asRoot: runAs !== null });
  const server = await findPostmaster(join(home, 'postgres'));
  return server?.socketDir === undefined ? null : { host: server.socketDir, port: 5432, user, database };
}

/**
 * Makes the cluster of an empty data folder from the files that `unpack` writes into the folder it is given. Throws
 * `ConfigurationError` if they are of another major version than the embedded server.
 */
export async function placeCluster(
  dataDir: string,
  madeBy: string,
  unpack: (folder: string) => Promise<void>,
): Promise<void> {
  const binaries = await locatePostgres(import.meta.filename);
  const { stdout: said } = await run(join(binaries.dir, 'bin', 'postgres'), ['--version']);
  const [major] = madeBy.split('.');
  if (/(\d+)/.exec(said)?.[1] !== major) {
    throw new ConfigurationError(
      `The backup must be of the same major version of PostgreSQL (it is of ${madeBy}; here is ${said.trim()}); ` +
        'restore it with the version of the portal that made it',
    );
  }
  const { home } = clusterFolders(clusterId(dataDir), { dataDir, asRoot: binaries.runAs !== null });
  await homeFolder(home, dataDir, binaries);
  const fresh = join(home, 'postgres.new');
  await mkdir(fresh, { mode: 0o700 });
  await unpack(fresh);
  if (binaries.runAs) {
    const { uid, gid } = binaries.runAs;
    await run('chown', ['-R', `${uid}:${gid}`, fresh]);
  }
  await rename(fresh, join(home, 'postgres'));
}

/** Why a server ended, from its log. Never a statement, which could contain user data. */
export function reasonIn(log: string): string | null {
  const [lastRun = ''] = log.split('database system is ready to accept connections').slice(-1);
  // A line has the form 'time [process] LEVEL: message'; a continuation line begins with a tab.
  const lines = lastRun.split('\n').filter((line) => !line.startsWith('\t'));
  const said = lines.map((line) => line.slice(line.indexOf('] ') + 2));
  const reasonsOf = (level: string) =>
    said.filter((line) => line.startsWith(level)).map((line) => line.slice(level.length).trim());
  // A client that connects during shutdown or startup is refused with one line each.
  const isReason = (words: string) =>
    !words.startsWith('the database system is ') && !words.startsWith('terminating ');
  return reasonsOf('PANIC:').at(-1) ?? reasonsOf('FATAL:').findLast(isReason) ?? null;
}

/** Free bytes for the tables and for the write-ahead log, which may be on a separate file system. */
async function freeBytes(cluster: string): Promise<number> {
  const free = await Promise.all(
    ['base', 'pg_wal'].map((name) =>
      statfs(join(cluster, name)).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => 0,
      ),
    ),
  );
  return Math.min(...free);
}

/** Whether a server of this data folder already runs and accepts connections. */
async function runningServer(cluster: string, address: DatabaseAddress): Promise<boolean> {
  for (let waited = 0; waited < 60_000; waited += 200) {
    const server = await findPostmaster(cluster);
    if (server === null) return false;
    if (server.socketDir === address.host && (await accepts({ ...address, database: 'postgres' })))
      return true;
    await delay(200);
  }
  throw new Error(`the database in ${cluster} isn’t accepting connections and didn’t stop; see its log`);
}

/** The server process of this cluster and its address; `null` if there is none. */
async function findPostmaster(
  cluster: string,
): Promise<{ pid: number; socketDir: string | undefined } | null> {
  const file = join(cluster, 'postmaster.pid');
  const lines = ((await readFile(file, 'utf8').catch(nullWhenGone)) ?? '').split('\n');
  const pid = Number(lines[0]);
  return pid && (await isPostmaster(pid, cluster)) ? { pid, socketDir: lines[4] } : null;
}

/** Whether that process is the postmaster of this cluster and not another one with a reused pid. */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(nullWhenGone);
  if (command !== null) return command.split('\0').includes(cluster);
  return process.platform !== 'linux';
}

/**
 * `null` if the file or the process is gone. Rethrows any other error (such as no free descriptor), because it says
 * nothing about the process.
 */
function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ESRCH', 'ENOTDIR'].includes(error.code ?? '')) return null;
  throw error;
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

/** Whether a portal has written more than the id, which it does once its database runs: the secret, photos. */
const hasServed = async (dataDir: string): Promise<boolean> =>
  (await readdir(dataDir)).some((name) => name !== 'cluster.id');

/** A random name kept in the data folder, so that a new clone at an old path never finds the old clone's database. */
const clusterId = (dataDir: string): string =>
  readOrWriteOnce(join(dataDir, 'cluster.id'), () => randomBytes(8).toString('hex'));

/** Creates a folder in a shared one. Throws `ConfigurationError` if another user owns it or can open it. */
async function privateFolder(path: string, binaries: PostgresBinaries): Promise<string> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const uid = binaries.runAs?.uid ?? process.getuid?.() ?? 0;
  const found = await lstat(path);
  const isOurs = found.uid === uid || found.uid === process.getuid?.();
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    throw new ConfigurationError(
      `${path} must be a folder that only you can open (it has owner ${found.uid} and mode ${mode}); remove it and start again`,
    );
  }
  if (binaries.runAs) await chown(path, binaries.runAs.uid, binaries.runAs.gid);
  return path;
}

/** Creates the folder of a cluster's files, unless it is the data folder. */
async function homeFolder(home: string, dataDir: string, binaries: PostgresBinaries): Promise<void> {
  if (home === dataDir) return;
  const parent = dirname(home);
  if (parent === rootClusters) {
    await mkdir(parent, { recursive: true });
    // Independent of the umask: the unprivileged user must be able to enter its own folder.
    await chmod(parent, 0o755);
  }
  await privateFolder(home, binaries);
}

/** Runs a PostgreSQL program until it ends; an error contains its output. */
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
      // In a new session: Ctrl-C in the terminal must reach only the portal, which stops the database last.
      detached: true,
      ...(binaries.runAs ?? {}),
    });
    // First, because without a free descriptor there is no stderr either, and an unhandled error event ends the portal.
    child.on('error', reject);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
    child.on('exit', (code) => {
      child.stderr.destroy();
      if (code === 0) return resolve();
      void lastLinesOf(logFile).then((tail) =>
        reject(new Error(`${name} ended with code ${code}: ${said.trim()}${tail}`)),
      );
    });
  });
}

/** The last lines of a log, after a line break; empty without a log, and if it cannot be read. */
async function lastLinesOf(logFile: string | undefined): Promise<string> {
  const end = logFile === undefined ? '' : await endOf(logFile).catch(() => '');
  return end === '' ? '' : `\n${end.split('\n').slice(-8).join('\n')}`;
}

/** The last 64 kB of a file; empty if it cannot be read. */
async function endOf(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  if (file === null) return '';
  try {
    return (await readEnd(file)).toString();
  } finally {
    await file.close();
  }
}

async function readEnd(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), {
    position: Math.max(0, size - tailBytes),
  });
  return buffer.subarray(0, bytesRead);
}

/**
 * Truncates a log in place, because its server keeps it open for appending; a line written at that moment may be lost.
 * Follows no symbolic link: the folder belongs to the user of the server, and the portal may run as root.
 */
async function trim(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW).catch(
    nullWhenGone,
  );
  if (file === null) return;
  try {
    if ((await file.stat()).size <= logMaxBytes) return;
    const end = await readEnd(file);
    await file.truncate();
    await file.appendFile(end.subarray(end.indexOf('\n') + 1));
  } finally {
    await file.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Makes sure that only one portal at a time uses an embedded database: holds a Unix socket, which the kernel releases
 * even after `kill -9`. On Linux the socket has no file, elsewhere the file of a dead process is removed first. Throws
 * a one-line error if another portal is running.
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
