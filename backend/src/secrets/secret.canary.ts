import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../config/environment.js';
import type { SecretsService } from './secrets.service.js';

const word = 'orange';

/**
 * Makes a wrong secret fail at start instead of as 401s later: each secret leaves an encrypted value in the database;
 * if there are such values and none was encrypted with a configured secret, the database was written with another
 * secret.
 */
export async function checkSecretCanary(dataSource: DataSource, secrets: SecretsService): Promise<void> {
  const rows: { version: number; sealed: Buffer }[] = await dataSource.query(
    'select version, sealed from secret_canaries',
  );
  const known = rows.filter((row) => secrets.versions.includes(row.version));
  if (rows.length > 0 && known.length === 0) {
    throw new ConfigurationError(
      "PORTAL_SECRET isn't the secret that encrypted this database (values not shown). " +
        'Restore the old secret; only to switch to a new one, set PORTAL_SECRET_PREVIOUS to the old one',
    );
  }
  for (const row of known) secrets.open('canary', { bytes: row.sealed, version: row.version }, word);
  const { bytes, version } = secrets.seal('canary', word, word);
  await dataSource.query(
    'insert into secret_canaries (version, sealed) values ($1, $2) on conflict (version) do nothing',
    [version, bytes],
  );
}
