import { Injectable } from '@nestjs/common';
import { apiKeyBytes, apiKeyFrom, apiKeyPrefix } from '@orange-id/contract/api-key.rule';
import { randomBytes } from 'node:crypto';
import { newId } from '../database/new.id.js';
import type { SealedTable } from '../secrets/secret.rotation.js';
import { SecretsService } from '../secrets/secrets.service.js';
import type { ApiKey } from './api-key.entity.js';

interface KeyOwner {
  userId: string;
  /** `null` for a saved key. */
  projectId: string | null;
  name: string;
  replacesId?: string;
  /** Calls per second; `null` or missing for the portal's limit. */
  rateLimit?: number | null;
  expiresAt?: Date | null;
}

const store = 'api-key.store';
const lookup = 'api-key.lookup';

/** How keys are re-encrypted when the master secret is rotated. */
export const sealedApiKeys: SealedTable = {
  table: 'api_keys',
  sealed: { column: 'key_sealed', purpose: store },
  hash: { column: 'key_hash', purpose: lookup },
};

/**
 * Creates keys and decrypts them. A row holds a keyed hash for look-ups and the encrypted key, never its plain text.
 */
@Injectable()
export class ApiKeyFactory {
  constructor(private readonly secrets: SecretsService) {}

  /** A new active key: its text for the owner, and the row for `api_keys`. */
  make(owner: KeyOwner): { key: string; row: Omit<ApiKey, 'createdAt'> } {
    return this.adopt(apiKeyFrom(randomBytes(apiKeyBytes)), owner);
  }

  /** The row of a key that a hosted project service has created, in any format. */
  adopt(key: string, owner: KeyOwner): { key: string; row: Omit<ApiKey, 'createdAt'> } {
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
        expiresAt: owner.expiresAt ?? null,
        rateLimit: owner.rateLimit ?? null,
        replacedAt: null,
      },
    };
  }

  /** The keyed hashes that a row of this key may have: of the current secret first, then of the previous one. */
  hashesOf(key: string): Buffer[] {
    return this.secrets.versions.map((version) => this.secrets.lookupHash(lookup, key, version));
  }

  /** The text of a stored key. Throws if the row was altered or its secret is not configured. */
  reveal(row: Pick<ApiKey, 'id' | 'keySealed' | 'secretVersion'>): string {
    return this.secrets.open(store, { bytes: row.keySealed, version: row.secretVersion }, row.id);
  }
}
