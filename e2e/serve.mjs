import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The portal as a person starts it, on an empty data folder that is removed at the end. */
const dataDir = mkdtempSync(join(tmpdir(), 'portal-e2e-'));
process.env.DATA_DIR = dataDir;

const built = '../backend/dist/backend/src';
const { rootHome } = await import(`${built}/database/postgres.binaries.js`);
process.on('exit', () => {
  try {
    const id = readFileSync(join(dataDir, 'cluster.id'), 'utf8').trim();
    rmSync(join(rootHome, 'clusters', id), { recursive: true, force: true });
    rmSync(join(tmpdir(), `orange-portal-${id}`), { recursive: true, force: true });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
await import(`${built}/main.js`);
