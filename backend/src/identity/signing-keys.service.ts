import { Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8,
} from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { IsNull, Repository } from 'typeorm';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../database/embedded.postgres.js';
import { withStartLock } from '../database/migrate.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { SigningKey } from './signing-key.entity.js';

/** The one algorithm access tokens are signed and verified with. */
export const signingAlgorithm = 'ES256';

/** How long a look-up of an unknown key id is answered from memory, so that made-up ids cost no queries. */
const reloadEveryMs = 5_000;

/**
 * The key pairs behind access tokens. One is made at the first start with a master secret, once however many instances
 * start; the private half is stored sealed. Keys of an earlier secret go on verifying and sign no more.
 */
@Injectable()
export class SigningKeysService implements OnModuleInit {
  private current: { kid: string; privateKey: CryptoKey };
  private readonly known = new Map<string, { publicKey: CryptoKey; jwk: JWK }>();
  private loadedAtMs = 0;

  constructor(
    @InjectRepository(SigningKey) private readonly rows: Repository<SigningKey>,
    private readonly secrets: SecretsService,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
  ) {}

  async onModuleInit(): Promise<void> {
    const row = (await this.ours()) ?? (await withStartLock(this.address, () => this.oursOrNew()));
    const pem = this.secrets.open(
      'signing-key.store',
      { bytes: row.privateKey, version: row.secretVersion },
      row.kid,
    );
    this.current = { kid: row.kid, privateKey: await importPKCS8(pem, signingAlgorithm) };
    await this.load();
  }

  /** The key that signs now. */
  get signer(): { kid: string; privateKey: CryptoKey } {
    return this.current;
  }

  /** The public key of an id, or null when no such key was ever made here. */
  async find(kid: string): Promise<CryptoKey | null> {
    const key = this.known.get(kid);
    if (key) return key.publicKey;
    if (Date.now() - this.loadedAtMs < reloadEveryMs) return null;
    await this.load();
    return this.known.get(kid)?.publicKey ?? null;
  }

  /** The JSON Web Key Set (RFC 7517) others verify our tokens with. */
  get keySet(): { keys: JWK[] } {
    return { keys: [...this.known.values()].map(({ jwk }) => jwk) };
  }

  private async load(): Promise<void> {
    this.loadedAtMs = Date.now();
    for (const row of await this.rows.findBy({ retiredAt: IsNull() })) {
      if (this.known.has(row.kid)) continue;
      const jwk = { ...row.publicKey, kid: row.kid, alg: signingAlgorithm, use: 'sig' } as JWK;
      this.known.set(row.kid, { publicKey: (await importJWK(jwk, signingAlgorithm)) as CryptoKey, jwk });
    }
  }

  private ours(): Promise<SigningKey | null> {
    return this.rows.findOne({
      where: { secretVersion: this.secrets.version, retiredAt: IsNull() },
      order: { createdAt: 'DESC' },
    });
  }

  private async oursOrNew(): Promise<SigningKey> {
    const existing = await this.ours();
    if (existing) return existing;
    const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
    const publicKey = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(publicKey);
    const sealed = this.secrets.seal('signing-key.store', await exportPKCS8(pair.privateKey), kid);
    const row = { kid, secretVersion: sealed.version, privateKey: sealed.bytes, publicKey: { ...publicKey } };
    await this.rows.insert(row);
    return this.rows.findOneByOrFail({ kid });
  }
}
