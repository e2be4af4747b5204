import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigurationError, Environment } from '../config/environment.js';
import { readOrWriteOnce } from '../config/write.once.js';

/** The master secrets in use: the current one, and during a rotation the previous one. */
export interface MasterSecrets {
  current: string;
  previous: string | null;
}

/**
 * Reads the master secret from the configuration; in local mode it is created once and stored in the data folder with
 * mode 0600, so that a fresh clone needs no set-up.
 */
export function loadMasterSecrets(environment: Environment): MasterSecrets {
  const previous = environment.PORTAL_SECRET_PREVIOUS ?? null;
  if (environment.PORTAL_SECRET !== undefined) return { current: environment.PORTAL_SECRET, previous };
  const file = join(environment.dataDir, 'portal.secret');
  const current = readOrWriteOnce(file, () => randomBytes(32).toString('hex'));
  if (current.length < 32) {
    throw new ConfigurationError(
      `PORTAL_SECRET in ${file} must have at least 32 characters (it has ${current.length}); ` +
        `restore the file from a backup, or delete ${environment.dataDir} with all its data to start over`,
    );
  }
  return { current, previous };
}
