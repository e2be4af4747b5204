import { version } from '@orange-id/contract/version';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { addressOf } from './config/database.address.js';
import type { DatabaseAddress } from './config/database.address.js';
import { ConfigurationError } from './config/environment.js';
import type { Environment } from './config/environment.js';
import { baseBackup } from './database/base.backup.js';
import { placeCluster, startEmbeddedPostgres } from './database/embedded.postgres.js';
import { openRunning } from './database/open.database.js';
import type { OpenDatabase } from './database/open.database.js';

/** Written last, so a folder without it is no complete backup. */
const noteFile = 'backup.json';
const archive = 'base.tar';

const backupNote = z.object({
  version: z.string(),
  createdAt: z.string(),
  /** `embedded`: `restore` brings back the database, too; `server`: it is unpacked by hand. */
  database: z.enum(['embedded', 'server']),
  postgres: z.string(),
  archiveBytes: z.number(),
  pictures: z.string(),
  secret: z.string(),
});

const run = promisify(execFile);

type Say = (line: string) => void;

/**
 * Copies everything that belongs together into a new folder, while the portal serves: the database, the pictures and
 * the secret, or the names of those that are kept elsewhere. Everything that was answered before it began is in it.
 */
export async function backup(environment: Environment, folder: string, say: Say): Promise<void> {
  await requireEmpty(folder, 'the folder of a backup');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { address, stop } = await openSource(environment);
  try {
    // Before and after, so that no row of the database lacks its picture.
    const pictures = await copyPictures(environment, folder);
    say('Copying the database …');
    await baseBackup(address, folder);
    await copyPictures(environment, folder);
    const note: z.infer<typeof backupNote> = {
      version,
      createdAt: new Date().toISOString(),
      database: environment.DATABASE_URL === undefined ? 'embedded' : 'server',
      postgres: await serverVersion(address),
      archiveBytes: (await stat(join(folder, archive))).size,
      pictures,
      secret: await copySecret(environment, folder),
    };
    await writeFile(join(folder, noteFile), `${JSON.stringify(note, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    say(`The backup is in ${folder}: the database (PostgreSQL ${note.postgres}).`);
    say(`Pictures: ${note.pictures}. Secret: ${note.secret}.`);
  } finally {
    await stop();
  }
}

/**
 * Brings back a backup into an empty `DATA_DIR`. That of a server is unpacked by hand, because its files belong to
 * PostgreSQL's own folder. Starts the database once, which recovers what was written during the backup.
 */
export async function restore(environment: Environment, folder: string, say: Say): Promise<void> {
  const note = await noteIn(folder);
  const { dataDir } = environment;
  await requireEmpty(dataDir, 'DATA_DIR');
  const { size } = await stat(join(folder, archive));
  if (size !== note.archiveBytes) {
    throw new ConfigurationError(
      `${join(folder, archive)} must have ${note.archiveBytes} bytes (it has ${size}); copy the backup again`,
    );
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (note.database === 'embedded') {
    if (environment.DATABASE_URL !== undefined) {
      throw new ConfigurationError(
        'DATABASE_URL must not be set for this restore: the backup is of an embedded database, which is restored into DATA_DIR',
      );
    }
    say('Unpacking the database …');
    await placeCluster(dataDir, note.postgres, async (cluster) => {
      await run('tar', ['-xof', join(folder, archive), '-C', cluster]);
    });
    const postgres = await startEmbeddedPostgres({ dataDir, log: say });
    await postgres.stop();
  } else {
    say(
      `The database is of a server: unpack ${join(folder, archive)} into an empty data folder of PostgreSQL`,
    );
    say(`${note.postgres.split('.')[0]}, owned by its user and with mode 0700, and start it.`);
  }
  for (const name of ['pictures', 'portal.secret']) {
    await cp(join(folder, name), join(dataDir, name), { recursive: true }).catch(ignoreMissing);
  }
  say(`Restored into ${dataDir}. Pictures: ${note.pictures}. Secret: ${note.secret}.`);
}

/** A server may be a standby, which accepts no writes. */
function openSource(environment: Environment): Promise<OpenDatabase> {
  const { DATABASE_URL } = environment;
  if (DATABASE_URL === undefined) return openRunning(environment);
  return Promise.resolve({ address: addressOf(DATABASE_URL), stop: async () => undefined });
}

async function copyPictures(
  { PICTURES_S3_ENDPOINT, PICTURES_S3_BUCKET, dataDir }: Environment,
  folder: string,
) {
  if (PICTURES_S3_ENDPOINT !== undefined) return `in the bucket ${PICTURES_S3_BUCKET}, not copied`;
  const isCopied = await cp(join(dataDir, 'pictures'), join(folder, 'pictures'), {
    recursive: true,
    // A picture that is being written, and one that was deleted meanwhile.
    filter: (path) => !path.endsWith('.part'),
  }).then(() => true, ignoreMissing);
  return isCopied ? 'copied' : 'none';
}

async function copySecret({ PORTAL_SECRET, dataDir }: Environment, folder: string): Promise<string> {
  if (PORTAL_SECRET !== undefined) return 'in PORTAL_SECRET, not copied; without it the keys can’t be read';
  await cp(join(dataDir, 'portal.secret'), join(folder, 'portal.secret'));
  return 'copied';
}

async function serverVersion(address: DatabaseAddress): Promise<string> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  } finally {
    await client.end();
  }
}

async function noteIn(folder: string) {
  const note = await readFile(join(folder, noteFile), 'utf8')
    .then((text) => backupNote.parse(JSON.parse(text)))
    .catch(() => null);
  if (note !== null) return note;
  throw new ConfigurationError(
    `${folder} has no complete backup: its ${noteFile} is missing or not of this portal`,
  );
}

async function requireEmpty(folder: string, what: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0) throw new ConfigurationError(`${folder} must be empty or missing to be ${what}`);
}

const ignoreMissing = (error: NodeJS.ErrnoException): false => {
  if (error.code === 'ENOENT') return false;
  throw error;
};
