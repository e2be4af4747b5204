import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { rootHome } = await import('../backend/dist/backend/src/database/postgres.binaries.js');

/** Removes the data folder of a stopped portal, and what its database left elsewhere. */
export function removeDataFolder(dataDir) {
  try {
    const id = readFileSync(join(dataDir, 'cluster.id'), 'utf8').trim();
    rmSync(join(rootHome, 'clusters', id), { recursive: true, force: true });
    rmSync(join(tmpdir(), `orange-portal-${id}`), { recursive: true, force: true });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
