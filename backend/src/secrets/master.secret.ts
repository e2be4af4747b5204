import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config/environment.js';

/** The master secrets in force: the current one, and during a rotation the one before it. */
export interface MasterSecrets {
  current: string;
  previous: string | null;
}

/**
 * Reads the master secret from the configuration; in local mode it is made once and kept in the data folder with
 * mode 0600, so that a fresh clone needs no set-up.
 */
export function loadMasterSecrets(environment: Environment): MasterSecrets {
  const previous = environment.PORTAL_SECRET_PREVIOUS ?? null;
  if (environment.PORTAL_SECRET !== undefined) return { current: environment.PORTAL_SECRET, previous };
  mkdirSync(environment.dataDir, { recursive: true, mode: 0o700 });
  const file = join(environment.dataDir, 'portal.secret');
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return { current: readFileSync(file, 'utf8').trim(), previous };
}
