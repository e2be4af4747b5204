import pg from 'pg';
import { ConfigurationError } from '../config/environment.js';
import type { DatabaseAddress } from '../config/database.address.js';
import type { SecretPurpose, SecretsService } from './secrets.service.js';

/** The columns of a table that a rotation rewrites: everything derived from the master secret. */
export interface SealedTable {
  table: string;
  /** The encrypted column; the row's `id` is its context and `secret_version` names its secret. */
  sealed: { column: string; purpose: SecretPurpose };
  /** The keyed hash of the same text, if there is one. */
  hash?: { column: string; purpose: SecretPurpose };
}

const rowsAtOnce = 500;

/**
 * Re-encrypts every row of the previous secret with the current one, so that the previous one can be removed
 * afterwards. Uses small transactions, each row as a whole: an instance that knows both secrets finds a key before,
 * during and after. Throws `ConfigurationError` if rows need a secret that is not configured. Call under
 * `withStartLock`.
 */
export async function adoptCurrentSecret(
  address: DatabaseAddress,
  secrets: SecretsService,
  tables: readonly SealedTable[],
): Promise<void> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const { table } of tables) await refuseUnknownVersions(client, table, secrets);
    for (const sealed of tables) while (await adoptSome(client, secrets, sealed));
  } finally {
    await client.end();
  }
}

async function refuseUnknownVersions(
  client: pg.Client,
  table: string,
  secrets: SecretsService,
): Promise<void> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from ${table} where secret_version <> all($1)`,
    [secrets.versions],
  );
  const count = Number(rows[0]?.count);
  if (count === 0) return;
  throw new ConfigurationError(
    `PORTAL_SECRET isn't the secret that encrypted ${count} ${count === 1 ? 'row' : 'rows'} of ${table} (values not ` +
      'shown). Restore the old secret; only to switch to a new one, set PORTAL_SECRET_PREVIOUS to the old one',
  );
}

/** One transaction's worth; returns whether there may be more. If it throws, the caller ends the connection. */
async function adoptSome(
  client: pg.Client,
  secrets: SecretsService,
  { table, sealed, hash }: SealedTable,
): Promise<boolean> {
  // In the order of ids, like all other code that locks several of these rows.
  await client.query('begin');
  const { rows } = await client.query<{ id: string; bytes: Buffer; version: number }>(
    `select id, ${sealed.column} as bytes, secret_version as version from ${table}
     where secret_version <> $1 order by id limit ${rowsAtOnce} for update`,
    [secrets.version],
  );
  const fresh = rows.map(({ id, bytes, version }) => {
    const text = openRow(() => secrets.open(sealed.purpose, { bytes, version }, id), table, id);
    return {
      id,
      hash: hash ? secrets.lookupHash(hash.purpose, text) : null,
      bytes: secrets.seal(sealed.purpose, text, id).bytes,
    };
  });
  await client.query(
    `update ${table} set ${hash ? `${hash.column} = fresh.hash, ` : ''}${sealed.column} = fresh.bytes,
       secret_version = $1
     from unnest($2::uuid[], $3::bytea[], $4::bytea[]) as fresh (id, hash, bytes)
     where ${table}.id = fresh.id`,
    [
      secrets.version,
      fresh.map(({ id }) => id),
      fresh.map(({ hash }) => hash),
      fresh.map(({ bytes }) => bytes),
    ],
  );
  await client.query('commit');
  return rows.length === rowsAtOnce;
}

function openRow(open: () => string, table: string, id: string): string {
  try {
    return open();
  } catch (cause) {
    throw new ConfigurationError(
      `The row ${id} of ${table} was changed outside the portal and can't move to the new PORTAL_SECRET; ` +
        'restore it from a backup or delete it',
      { cause },
    );
  }
}
