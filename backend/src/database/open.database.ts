import pg from 'pg';
import { addressOf } from '../config/database.address.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { ConfigurationError } from '../config/environment.js';
import type { Environment } from '../config/environment.js';
import { startEmbeddedPostgres } from './embedded.postgres.js';
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
    await probe(address);
    return { address, stop: async () => undefined };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: environment.dataDir, log });
  // Not imported at the top of the file: loading Nest would delay the start of the database.
  const { Logger } = await import('@nestjs/common');
  const supervisor = new PostgresSupervisor(postgres, new Logger('Database'));
  supervisor.watch();
  return { address: postgres.address, stop: () => supervisor.stop() };
}

/** Fails with one line if the configured server cannot be used. */
async function probe(address: DatabaseAddress): Promise<void> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    throw new ConfigurationError(
      `DATABASE_URL must be a PostgreSQL server that can be reached (it is set, value not shown; connecting failed ` +
        `with ${code ?? message}); for example DATABASE_URL=postgres://portal:password@localhost:5432/portal`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
