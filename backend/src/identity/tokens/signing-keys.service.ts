import { Inject, Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { limits } from '@orange-id/contract/limits';
import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8,
} from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { setTimeout as delay } from 'node:timers/promises';
import { IsNull, Repository } from 'typeorm';
import { WAITS } from '../../config/waits.js';
import type { Waits } from '../../config/waits.js';
import { DATABASE_ADDRESS } from '../../database/database.options.js';
import type { DatabaseAddress } from '../../config/database.address.js';
import { withStartLock } from '../../database/migrate.js';
import { JobLogger } from '../../jobs/job.logger.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { SigningKey } from '../entities/signing-key.entity.js';

/** The only algorithm with which access tokens are signed and verified. */
export const signingAlgorithm = 'ES256';

const lookEveryMs = 60_000;
/**
 * Unknown key ids cause at most one query in this time, so made-up ids cannot flood the database; a new key is found
 * within it.
 */
const loadAtMostEveryMs = 250;
/** As long as a token is valid, plus the time another instance may take to notice that its key is retired. */
const retiredKeptSeconds = limits.accessTokenSeconds + 10 * 60;

interface PublicHalf {
  publicKey: CryptoKey;
  jwk: JWK;
}

/**
 * The key pairs of access tokens. One is created at the first start with a master secret and whenever the last is 90
 * days old, once for any number of instances; the private key is stored encrypted. A new key retires the previous ones:
 * their private keys are deleted, so that a dump and the old secret can sign nothing; they verify as long as one of
 * their tokens can be valid and are then removed, so that nobody is signed out.
 */
@Injectable()
export class SigningKeysService implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new JobLogger('Signing keys', 'signing-keys');
  private current: { kid: string; privateKey: CryptoKey };
  private known = new Map<string, PublicHalf>();
  private loadedAt = -Infinity;
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectRepository(SigningKey) private readonly rows: Repository<SigningKey>,
    private readonly secrets: SecretsService,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    @Inject(WAITS) private readonly waits: Waits,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!(await this.hasOurs())) await withStartLock(this.address, () => this.renew(() => this.hasOurs()));
    await this.load();
    this.timer = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The current signing key. */
  get signer(): { kid: string; privateKey: CryptoKey } {
    return this.current;
  }

  /** The public key of an id, or null if no such key was created here or all its tokens have expired. */
  async find(kid: string): Promise<CryptoKey | null> {
    if (!this.known.has(kid)) await this.loadSoon();
    return this.known.get(kid)?.publicKey ?? null;
  }

  /** The JSON Web Key Set (RFC 7517) with which others verify this portal's tokens. */
  get keySet(): { keys: JWK[] } {
    return { keys: [...this.known.values()].map(({ jwk }) => jwk) };
  }

  /**
   * Replaces an old key, notices a key that another instance has retired, and removes keys that were retired long ago.
   */
  private async look(): Promise<void> {
    this.logger.begin();
    try {
      if (!(await this.hasYoung())) {
        await withStartLock(this.address, () => this.renew(() => this.hasYoung()), this.waits.startLockMs);
      }
      await this.rows
        .createQueryBuilder()
        .delete()
        .where(`retired_at <= now() - make_interval(secs => ${retiredKeptSeconds})`)
        .execute();
      await this.load();
    } catch (error) {
      this.logger.failed('checking failed, trying again in a minute', error, { level: 'warn' });
    }
  }

  /** One load at a time, shared by all callers. */
  private loadSoon(): Promise<void> {
    this.loading ??= delay(Math.max(0, this.loadedAt + loadAtMostEveryMs - performance.now()))
      .then(() => this.load())
      .finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async load(): Promise<void> {
    this.loadedAt = performance.now();
    const rows = await this.rows
      .createQueryBuilder('key')
      .where(`retired_at is null or retired_at > now() - make_interval(secs => ${retiredKeptSeconds})`)
      .orderBy('key.createdAt', 'DESC')
      .getMany();
    const known = new Map<string, PublicHalf>();
    for (const row of rows) known.set(row.kid, this.known.get(row.kid) ?? (await publicHalfOf(row)));
    this.known = known;
    // While `PORTAL_SECRET` is being rotated, the newest key may be encrypted with either secret.
    const live = rows.find(
      ({ retiredAt, secretVersion }) => retiredAt === null && this.secrets.versions.includes(secretVersion),
    );
    if (live && live.kid !== this.current?.kid) await this.signWith(live);
  }

  private async signWith({ kid, privateKey, secretVersion }: SigningKey): Promise<void> {
    const sealed = { bytes: privateKey, version: secretVersion };
    const pem = this.secrets.open('signing-key.store', sealed, kid);
    this.current = { kid, privateKey: await importPKCS8(pem, signingAlgorithm) };
  }

  private hasOurs(): Promise<boolean> {
    return this.rows.existsBy({ secretVersion: this.secrets.version, retiredAt: IsNull() });
  }

  /** Whether there is an active key young enough to sign, whichever secret encrypts it. */
  private hasYoung(): Promise<boolean> {
    return this.rows
      .createQueryBuilder('key')
      .where(
        `retired_at is null and created_at > now() - make_interval(secs => ${limits.signingKeyMaxSeconds})`,
      )
      .getExists();
  }

  /** Call under the start lock; `isDone` returns whether another instance renewed the key while this one waited. */
  private async renew(isDone: () => Promise<boolean>): Promise<void> {
    if (await isDone()) return;
    const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
    const publicKey = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(publicKey);
    const sealed = this.secrets.seal('signing-key.store', await exportPKCS8(pair.privateKey), kid);
    await this.rows.manager.transaction(async (manager) => {
      await manager
        .createQueryBuilder()
        .update(SigningKey)
        .set({ retiredAt: () => 'now()', privateKey: Buffer.alloc(0) })
        .where('retired_at is null')
        .execute();
      const row = { kid, secretVersion: sealed.version, privateKey: sealed.bytes };
      await manager.insert(SigningKey, { ...row, publicKey: { ...publicKey } });
    });
  }
}

async function publicHalfOf({ kid, publicKey }: SigningKey): Promise<PublicHalf> {
  const jwk = { ...publicKey, kid, alg: signingAlgorithm, use: 'sig' } as JWK;
  return { publicKey: (await importJWK(jwk, signingAlgorithm)) as CryptoKey, jwk };
}
