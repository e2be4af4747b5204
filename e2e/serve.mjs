import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The portal as a person starts it, on an empty data folder that is removed at the end. */
const dataDir = mkdtempSync(join(tmpdir(), 'portal-e2e-'));
process.env.DATA_DIR = dataDir;

const log = process.env.PORTAL_E2E_LOG;
if (log) {
  writeFileSync(log, '');
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk, ...rest) => {
      appendFileSync(log, chunk);
      return write(chunk, ...rest);
    };
  }
}

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
