import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const built = new URL('dist/', import.meta.url);
const load = (path) =>
  import(new URL(path, built)).catch((error) => {
    throw new Error(`the backend must be built before its tests run (npm run build): ${error.message}`);
  });

/**
 * One real PostgreSQL for all backend tests of a run; each test application gets a database cloned from a migrated
 * template.
 */
export default async function setup() {
  const { parseEnvironment } = await load('environment.js');
  const { migrate } = await load('migrate.js');
  const { startEmbeddedPostgres } = await load('embedded.postgres.js');
  const { removeDataFolder } = await load('cluster.folders.js');

  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true });
  const client = new pg.Client({ ...postgres.address, database: 'postgres' });
  await client.connect();
  await client.query('create database template_portal');
  await client.end();
  await migrate(
    { ...postgres.address, database: 'template_portal' },
    parseEnvironment({ DATA_DIR: dataDir }),
  );

  process.env.TEST_DATABASE = JSON.stringify(postgres.address);
  globalThis.stopTestDatabase = async () => {
    await postgres.stop();
    removeDataFolder(dataDir);
  };
}
