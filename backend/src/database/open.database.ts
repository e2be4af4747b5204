import { addressOf } from '../config/database.address.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { ConfigurationError } from '../config/environment.js';
import type { Environment } from '../config/environment.js';
import { databaseProblems } from './database.check.js';
import { findEmbedded, startEmbeddedPostgres } from './embedded.postgres.js';
import { PostgresSupervisor } from './postgres.supervisor.js';

export interface OpenDatabase {
  address: DatabaseAddress;
  stop(): Promise<void>;
}

/**
 * Starts the embedded database, or checks that the configured one can be reached. `log` is called with one line per long
 * step. Throws `ConfigurationError`.
 */
export async function openDatabase(
  environment: Environment,
  log: (line: string) => void,
): Promise<OpenDatabase> {
  if (environment.DATABASE_URL !== undefined) {
    const address = addressOf(environment.DATABASE_URL);
    const problems = await databaseProblems(address);
    if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
    return { address, stop: async () => undefined };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: environment.dataDir, log });
  // Not imported at the top of the file: loading Nest would delay the start of the database.
  const { Logger } = await import('@nestjs/common');
  const supervisor = new PostgresSupervisor(postgres, new Logger('Database'));
  supervisor.watch();
  return { address: postgres.address, stop: () => supervisor.stop() };
}

/** The same for a command: uses the embedded database of a running portal, and starts it if none runs. */
export async function openRunning(environment: Environment): Promise<OpenDatabase> {
  const { DATABASE_URL, dataDir } = environment;
  if (DATABASE_URL !== undefined) return openDatabase(environment, () => undefined);
  const running = await findEmbedded(dataDir);
  if (running === null) return startEmbeddedPostgres({ dataDir });
  return { address: running, stop: async () => undefined };
}
