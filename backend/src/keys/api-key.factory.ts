import { Injectable } from '@nestjs/common';
import { apiKeyBytes, apiKeyFrom, apiKeyPrefix } from '@orange-id/contract/api-key.rule';
import { randomBytes } from 'node:crypto';
import { newId } from '../database/new.id.js';
import type { SealedTable } from '../secrets/secret.rotation.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { ApiKey } from './api-key.entity.js';

const store = 'api-key.store';
const lookup = 'api-key.lookup';

/** How keys move from one master secret to the next. */
export const sealedApiKeys: SealedTable = {
  table: 'api_keys',
  sealed: { column: 'key_sealed', purpose: store },
  hash: { column: 'key_hash', purpose: lookup },
};

/** Makes keys and reads them back. A row holds a keyed hash to find the key by and the sealed key, never its text. */
@Injectable()
export class ApiKeyFactory {
  constructor(private readonly secrets: SecretsService) {}

  /** A new active key: the text for its owner, the row for `api_keys`. `projectId` is null for a saved key. */
  make(owner: { userId: string; projectId: string | null; name: string; replacesId?: string }): {
    key: string;
    row: Omit<ApiKey, 'createdAt'>;
  } {
    return this.adopt(apiKeyFrom(randomBytes(apiKeyBytes)), owner);
  }

  /** The row of a key that a hosted project service has made, in whatever form. */
  adopt(
    key: string,
    owner: { userId: string; projectId: string | null; name: string; replacesId?: string },
  ): { key: string; row: Omit<ApiKey, 'createdAt'> } {
    const id = newId();
    const sealed = this.secrets.seal(store, key, id);
    return {
      key,
      row: {
        id,
        userId: owner.userId,
        projectId: owner.projectId,
        name: owner.name,
        prefix: apiKeyPrefix(key),
        keyHash: this.secrets.lookupHash(lookup, key),
        keySealed: sealed.bytes,
        secretVersion: sealed.version,
        isActive: true,
        replacesId: owner.replacesId ?? null,
        lastUsed: null,
      },
    };
  }

  /** The keyed hashes that a row of this key may have: of the secret in force first, then of the one before. */
  hashesOf(key: string): Buffer[] {
    return this.secrets.versions.map((version) => this.secrets.lookupHash(lookup, key, version));
  }

  /** The text of a stored key. Throws when the row was changed or its secret is not configured. */
  reveal(row: Pick<ApiKey, 'id' | 'keySealed' | 'secretVersion'>): string {
    return this.secrets.open(store, { bytes: row.keySealed, version: row.secretVersion }, row.id);
  }
}
