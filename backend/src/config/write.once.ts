import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigurationError } from './environment.js';

/**
 * The content of `file`, trimmed; if missing, it is created with the result of `make` and mode 0600. Atomic: two
 * processes that start at once get the same content, and a process that is killed during the call leaves no partial
 * `file`.
 */
export function readOrWriteOnce(file: string, make: () => string): string {
  const read = () => readFileSync(file, 'utf8').trim();
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  makeFolder(dirname(file));
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${make()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return read();
}

/** Creates the data folder with its parents. Node's own `recursive` never returns below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    throw new ConfigurationError(
      `DATA_DIR must be a writable folder (creating "${path}" failed with ${code}); for example DATA_DIR=.data`,
    );
  }
}
