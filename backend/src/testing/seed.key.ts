import { apiKeyBytes, apiKeyFrom, apiKeyPrefix } from '@orange-id/contract/api-key.rule';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { newId } from '../database/new.id.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { TestApp } from './test.app.js';

export interface SeededKey {
  userId: string;
  keyId: string;
  /** The value for `X-API-Key`. */
  key: string;
  /** `null` for a saved key. */
  project: { id: string; code: string; name: string } | null;
}

export interface SeedOptions {
  /** The owner; a new one by default. */
  userId?: string;
  /** The whitelist of the key's project. */
  urls?: string[];
  /** Creates a saved key, without a project. */
  isSaved?: boolean;
  ethAddress?: string;
}

/** Stores a user, a project with its whitelist and a live API key in the database, like the real services. */
export const seedKey = (portal: Pick<TestApp, 'db' | 'app'>, options: SeedOptions = {}): Promise<SeededKey> =>
  seedKeyInto(portal.db, portal.app.get(SecretsService), options);

/** The same without an application in this process. */
export async function seedKeyInto(
  db: Pick<DataSource, 'query'>,
  secrets: SecretsService,
  options: SeedOptions = {},
): Promise<SeededKey> {
  const userId = options.userId ?? newId();
  if (options.userId === undefined) {
    await db.query(
      `insert into users (id, issuer, subject, provider, eth_address) values ($1::uuid, 'test', $1::text, 'email', $2)`,
      [userId, options.ethAddress ?? null],
    );
  }
  const project = options.isSaved
    ? null
    : { id: newId(), code: `orange-${tenLetters()}`, name: `Acme ${tenLetters()}` };
  if (project) {
    await db.query(
      'insert into projects (id, code, owner_id, project_name, name_key) values ($1, $2, $3, $4, lower($4))',
      [project.id, project.code, userId, project.name],
    );
    for (const url of options.urls ?? []) {
      await db.query('insert into project_urls (id, project_id, url) values ($1, $2, $3)', [
        newId(),
        project.id,
        url,
      ]);
    }
  }
  const keyId = newId();
  const key = apiKeyFrom(randomBytes(apiKeyBytes));
  const sealed = secrets.seal('api-key.store', key, keyId);
  await db.query(
    `insert into api_keys (id, user_id, project_id, name, prefix, key_hash, key_sealed, secret_version)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      keyId,
      userId,
      project?.id ?? null,
      project?.name ?? 'Saved',
      apiKeyPrefix(key),
      secrets.lookupHash('api-key.lookup', key),
      sealed.bytes,
      sealed.version,
    ],
  );
  return { userId, keyId, key, project };
}

const tenLetters = (): string =>
  Array.from(randomBytes(10), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
