import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataFolder } from './data.folder.mjs';

/** Starts the portal as a user would, with an empty data folder that is removed at the end. */
const dataDir = mkdtempSync(join(tmpdir(), 'portal-e2e-'));
process.env.DATA_DIR = dataDir;
// All tests register from the same IP address.
process.env.MAIL_LIMIT_PER_CLIENT = '100000';

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

process.on('exit', () => removeDataFolder(dataDir));
await import('../backend/dist/main.js');
