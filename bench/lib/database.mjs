import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '../../backend/dist/new.id.js';
import { removeDataFolder } from '../../backend/dist/cluster.folders.js';
import { startEmbeddedPostgres } from '../../backend/dist/embedded.postgres.js';
import { SecretsService } from '../../backend/dist/secrets.service.js';
import { apiKeyBytes, apiKeyFrom, apiKeyPrefix } from '../../contract/dist/api-key.rule.js';

/** A separate PostgreSQL server for one run, as durable as the portal's embedded one. */
export async function startDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const pid = Number(await settingOf(postgres.address, 'data_directory').then(postmasterOf));
  return {
    pid,
    /** Creates an empty database and returns its address. */
    async create(database) {
      await ask(postgres.address, `create database ${database}`);
      return { ...postgres.address, database };
    },
    address: postgres.address,
    settings: (name) => settingOf(postgres.address, name),
    async stop() {
      await postgres.stop();
      removeDataFolder(dataDir);
    },
  };
}

const postmasterOf = async (folder) =>
  (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0];

const settingOf = async (address, name) => (await ask(address, `show ${name}`))[0][name];

/** Runs one query on a separate connection and returns its rows. */
export async function ask(address, text, values) {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The `DATABASE_URL` of an address whose `host` is the folder of a Unix socket. */
export const urlOf = ({ host, port, user, database }) =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

/** Adds owners with live project keys to a portal's database, as its services would, and returns the keys. */
export async function seedKeys(address, secret, { owners, keysPerOwner }) {
  const secrets = new SecretsService({ current: secret, previous: null });
  const client = new pg.Client(address);
  await client.connect();
  const keys = [];
  for (let owner = 0; owner < owners; owner++) {
    const userId = newId();
    await client.query(
      "insert into users (id, issuer, subject, provider) values ($1::uuid, 'bench', $1::text, 'email')",
      [userId],
    );
    for (let i = 0; i < keysPerOwner; i++) {
      const [projectId, keyId, key] = [newId(), newId(), apiKeyFrom(randomBytes(apiKeyBytes))];
      const name = `Bench ${i}`;
      await client.query(
        'insert into projects (id, code, owner_id, project_name, name_key) values ($1, $2, $3, $4, $4)',
        [projectId, `orange-${String(owner * keysPerOwner + i).padStart(10, '0')}`, userId, name],
      );
      await client.query(
        "insert into project_urls (id, project_id, url) values ($1, $2, 'https://example.com')",
        [newId(), projectId],
      );
      const { bytes, version } = secrets.seal('api-key.store', key, keyId);
      await client.query(
        `insert into api_keys (id, user_id, project_id, name, prefix, key_hash, key_sealed, secret_version)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          keyId,
          userId,
          projectId,
          name,
          apiKeyPrefix(key),
          secrets.lookupHash('api-key.lookup', key),
          bytes,
          version,
        ],
      );
      keys.push(key);
    }
  }
  await client.end();
  return keys;
}
