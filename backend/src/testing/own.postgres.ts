import { spawn } from 'node:child_process';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { removeDataFolder } from '../database/cluster.folders.js';
import { startEmbeddedPostgres } from '../database/embedded.postgres.js';
import { until } from './until.js';

/** A separate PostgreSQL for one test, which may be stopped in any way. */
export interface OwnPostgres {
  address: DatabaseAddress;
  /** pg_ctl's immediate stop: nothing is flushed; the next start recovers from the log. */
  stopAtOnce(): Promise<void>;
  /** Starts it with its previous command line, and resolves when it accepts connections. */
  startAgain(): Promise<void>;
  remove(): Promise<void>;
}

/** A data folder with a cluster that no server runs on yet, to be started by a portal. */
export interface OwnCluster {
  dataDir: string;
  address: DatabaseAddress;
  /** The folder of the cluster's files. */
  folder: string;
  /** The pid of the server that runs on it; null if there is none. */
  postmaster(): Promise<number | null>;
  remove(): Promise<void>;
}

export async function makeOwnCluster(): Promise<OwnCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const { folder } = await describe(postgres.address);
  await postgres.stop();
  return {
    dataDir,
    address: postgres.address,
    folder,
    postmaster: async () => {
      const pid = Number(
        (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
      );
      return pid && isRunning(pid) ? pid : null;
    },
    remove: async () => removeDataFolder(dataDir),
  };
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true });
  const { address } = postgres;
  const { folder, command } = await describe(address);

  const accepts = async () => {
    const probe = new pg.Client(address);
    probe.on('error', () => undefined);
    return probe.connect().then(
      () => probe.end().then(() => true),
      () => false,
    );
  };
  return {
    address,
    stopAtOnce: async () => {
      const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, 'SIGQUIT');
      await until('the database is gone', () => !isRunning(pid));
    },
    startAgain: async () => {
      // As the user who owns its socket.
      const { uid, gid } = await stat(address.host);
      spawn('sh', ['-c', `exec ${command.trim()}`], {
        detached: true,
        stdio: 'ignore',
        env: { LC_ALL: 'C.UTF-8', TZ: 'UTC' },
        ...(uid === process.getuid?.() ? {} : { uid, gid }),
      }).unref();
      await until('the database accepts connections', accepts, 30_000);
    },
    remove: async () => {
      await postgres.stop();
      removeDataFolder(dataDir);
    },
  };
}

/** The data folder of a server, and its command line. */
async function describe(address: DatabaseAddress): Promise<{ folder: string; command: string }> {
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client.query<{ folder: string; command: string }>(
    `select current_setting('data_directory') as folder, pg_read_file('postmaster.opts') as command`,
  );
  await client.end();
  return rows[0] as { folder: string; command: string };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
