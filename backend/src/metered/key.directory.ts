import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { hash as digestOf } from 'node:crypto';
import type { Environment } from '../config/environment.js';
import { isDeleted } from '../auth/deleted.accounts.js';
import { isDisabled } from '../auth/disabled.accounts.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { ConnectionLost, SteadyConnection } from '../database/steady.connection.js';
import { PortalError } from '../http/portal.error.js';
import { SecretsService } from '../secrets/secrets.service.js';

/** What the hot path knows of a live or revoked key. */
export interface KnownKey {
  id: string;
  userId: string;
  name: string;
  prefix: string;
  /** `null` for a saved key, which belongs to no project and has no whitelist. */
  project: { code: string; name: string; urls: string[]; origins: string[] } | null;
  /** Why the key is revoked; `null` for a live key. */
  revoked: 'key.replaced' | 'key.deleted' | null;
  /** When the key stops working, in ms since the epoch, and the code of calls from then on; `null` for never. */
  expiry: { at: number; code: 'key.expired' | 'key.replaced' } | null;
  /** Calls per second; `null` for the portal's limit. */
  rateLimit: number | null;
  /** The owner's own daily quota; `null` for the portal's, 0 for none. */
  dailyQuota: number | null;
}

/** Why a call with the key is rejected at `at` (ms since the epoch); `null` if the key works. */
export function revocationOf(
  { revoked, expiry }: Pick<KnownKey, 'revoked' | 'expiry'>,
  at: number,
): 'key.replaced' | 'key.deleted' | 'key.expired' | null {
  if (revoked !== null) return revoked;
  return expiry !== null && at >= expiry.at ? expiry.code : null;
}

interface Miss {
  key: string;
  resolve: (found: KnownKey | null) => void;
  reject: (error: Error) => void;
}

interface Fill {
  startedAt: number;
  result: Promise<KnownKey | null>;
}

const pollEveryMs = 500;
/**
 * A change must take effect within 1 s: an entry is not used unless a poll that began within this time confirmed it.
 */
const freshForMs = 1_000;
const joinWithinMs = 500;
const databaseWaitMs = 2_000;
/** Most look-ups in one query, and most that may wait for the next query. */
const missesAtOnce = 1_000;
const keysKept = 20_000;
const afterLongSilenceMs = 60_000;

/**
 * Includes only projects of the configured service: keys of another service could not be revoked here. A key of a
 * deleted or disabled account is unknown, so that its calls leave no rows.
 */
const findSql = `
select k.key_hash, k.id, k.user_id, k.name, k.prefix, p.code, p.project_name,
  array(select u.url from project_urls u where u.project_id = p.id) as urls, p.other_origins as origins,
  case when k.is_active then null
    when k.replaced_at is not null or exists (select from api_keys n where n.project_id = p.id and n.is_active)
      then 'key.replaced'
    else 'key.deleted' end as revoked,
  k.expires_at, case when k.replaced_at is null then 'key.expired' else 'key.replaced' end as expired, k.rate_limit, h.quota::float8 as quota
from api_keys k left join projects p on p.id = k.project_id left join usage_heads h on h.user_id = k.user_id
where k.key_hash = any($1) and (p.id is null or p.service is not distinct from $2)
  and not ${isDeleted('k.user_id')} and not ${isDisabled('k.user_id')}
union all
select d.key_hash, d.id, d.user_id, '', '', d.project_code, d.project_code, '{}', '{}', 'key.deleted',
  null, null, null, null
from deleted_keys d where d.key_hash = any($1) and $2::text is null
  and not ${isDeleted('d.user_id')} and not ${isDisabled('d.user_id')}`;

/**
 * Finds API keys by their keyed hash, from memory if possible (bounded; live, revoked and unknown keys separately, so
 * that neither made-up nor old keys evict a live one). A key that expires while it is cached is refused by the clock.
 * Key and domain changes take effect within 1 s: it polls the change sequence every 500 ms, reads through to the
 * database while that fails, and discards rows read before a change.
 */
@Injectable()
export class KeyDirectory implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Keys');
  private readonly connection: SteadyConnection;
  private readonly known = new Map<string, KnownKey>();
  private readonly revoked = new Map<string, KnownKey>();
  private readonly hashes = new Map<string, string>();
  private readonly unknown = new Set<string>();
  private readonly fills = new Map<string, Fill>();
  private generation = 0;
  private version: string | null = null;
  private confirmedAt = -Infinity;
  private poll: NodeJS.Timeout | undefined;
  private isPolling = false;
  private misses: Miss[] = [];
  private isReading = false;

  constructor(
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
    private readonly secrets: SecretsService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    this.connection = new SteadyConnection(address, { name: 'keys', onUp: () => void this.readChanges() });
  }

  async onModuleInit(): Promise<void> {
    await this.connection.start();
    this.poll = setInterval(() => void this.readChanges(), pollEveryMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.poll);
    await this.connection.stop();
  }

  /**
   * Returns the live or revoked key for this text, or `null` for an unknown one; a promise, which may reject, if a
   * query is needed.
   */
  find(key: string): KnownKey | null | Promise<KnownKey | null> {
    const hash = hashInMemory(key);
    if (performance.now() - this.confirmedAt < freshForMs) {
      const found = this.known.get(hash);
      if (found !== undefined) {
        this.known.delete(hash);
        this.known.set(hash, found);
        return found;
      }
      const revoked = this.revoked.get(hash);
      if (revoked !== undefined) return revoked;
      if (this.unknown.has(hash)) return null;
    }
    return this.fill(hash, key);
  }

  private fill(hash: string, key: string): Promise<KnownKey | null> {
    const now = performance.now();
    const running = this.fills.get(hash);
    if (running && now - running.startedAt < joinWithinMs) return running.result;
    const { generation } = this;
    const result = this.read(key).then(
      (found) => {
        if (generation === this.generation) this.keep(hash, found);
        this.forget(hash, result);
        return found;
      },
      (error: unknown) => {
        this.forget(hash, result);
        throw error;
      },
    );
    this.fills.set(hash, { startedAt: now, result });
    return result;
  }

  private read(key: string): Promise<KnownKey | null> {
    if (this.misses.length >= missesAtOnce)
      return Promise.reject(new PortalError('server.busy', { retryAfterSeconds: 1 }));
    return new Promise((resolve, reject) => {
      this.misses.push({ key, resolve, reject });
      void this.readMisses();
    });
  }

  /** One query at a time: the misses during a query share the next one. */
  private async readMisses(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    while (this.misses.length > 0) {
      const misses = this.misses;
      this.misses = [];
      try {
        const found = await this.readKeys(misses.map(({ key }) => key));
        misses.forEach(({ resolve }, i) => resolve(found[i] ?? null));
      } catch (error) {
        for (const { reject } of misses) reject(error as Error);
      }
    }
    this.isReading = false;
  }

  private async readKeys(keys: string[]): Promise<(KnownKey | undefined)[]> {
    const hashes = keys.map((key) =>
      this.secrets.versions.map((version) => this.secrets.lookupHash('api-key.lookup', key, version)),
    );
    const { rows } = await this.connection.query(
      {
        name: 'keys.find',
        text: findSql,
        values: [hashes.flat(), this.environment.PROJECT_SERVICE_URL ?? null],
      },
      databaseWaitMs,
    );
    const found = new Map(
      (rows as KeyRecord[]).map((row) => [row.key_hash.toString('hex'), knownKeyOf(row)]),
    );
    return hashes.map((versions) =>
      versions.map((hash) => found.get(hash.toString('hex'))).find((key) => key !== undefined),
    );
  }

  private keep(hash: string, found: KnownKey | null): void {
    if (found === null) {
      this.known.delete(hash);
      this.unknown.add(hash);
      if (this.unknown.size > keysKept) this.unknown.delete(this.unknown.values().next().value as string);
      return;
    }
    // A key that expired since it was cached moves from `known` to `revoked`.
    this.known.delete(hash);
    this.revoked.delete(hash);
    const keys = revocationOf(found, Date.now()) === null ? this.known : this.revoked;
    keys.set(hash, found);
    this.hashes.set(found.id, hash);
    if (keys.size <= keysKept) return;
    const [oldest, { id }] = keys.entries().next().value as [string, KnownKey];
    keys.delete(oldest);
    this.hashes.delete(id);
  }

  private forget(hash: string, result: Promise<KnownKey | null>): void {
    if (this.fills.get(hash)?.result === result) this.fills.delete(hash);
  }

  private async readChanges(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    const startedAt = performance.now();
    try {
      // After a short outage the cache is kept: `key_changes` lists every change since the last version that was read.
      if (this.version !== null && startedAt - this.confirmedAt < afterLongSilenceMs) {
        const { rows } = await this.connection.query(
          {
            name: 'keys.changes',
            text: 'select version, api_key_id from key_changes where version > $1 order by version',
            values: [this.version],
          },
          databaseWaitMs,
        );
        if (rows.length > 0) this.drop(rows.map((row) => row.api_key_id as string));
        this.version = (rows.at(-1)?.version as string | undefined) ?? this.version;
      } else {
        const { rows } = await this.connection.query(
          { text: 'select version from key_change_head' },
          databaseWaitMs,
        );
        this.drop([...this.hashes.keys()]);
        this.version = rows[0].version;
      }
      this.confirmedAt = startedAt;
    } catch (error) {
      // The connection has logged its own loss; until it is back every look-up queries the database.
      if (!(error instanceof ConnectionLost))
        this.logger.error(`reading key changes failed: ${String(error)}`);
    } finally {
      this.isPolling = false;
    }
  }

  private drop(ids: string[]): void {
    this.generation++;
    this.fills.clear();
    this.unknown.clear();
    for (const id of ids) {
      const hash = this.hashes.get(id);
      if (hash === undefined) continue;
      this.hashes.delete(id);
      this.known.delete(hash);
      this.revoked.delete(hash);
    }
  }
}

interface KeyRecord {
  key_hash: Buffer;
  id: string;
  user_id: string;
  name: string;
  prefix: string;
  /** `null`, like `project_name`, for a saved key. */
  code: string | null;
  project_name: string;
  urls: string[];
  /** `null` like `code`. */
  origins: string[];
  revoked: KnownKey['revoked'];
  expires_at: Date | null;
  expired: NonNullable<KnownKey['expiry']>['code'];
  rate_limit: number | null;
  quota: number | null;
}

const knownKeyOf = ({
  id,
  user_id,
  name,
  prefix,
  code,
  project_name,
  urls,
  origins,
  revoked,
  expires_at,
  expired,
  rate_limit,
  quota,
}: KeyRecord): KnownKey => ({
  id,
  userId: user_id,
  name,
  prefix,
  project: code === null ? null : { code, name: project_name, urls, origins },
  revoked,
  expiry: expires_at && { at: expires_at.getTime(), code: expired },
  rateLimit: rate_limit,
  dailyQuota: quota,
});

/**
 * This hash costs a third of the keyed hash in the table, and a key with 160 random bits cannot be guessed from it
 * either.
 */
const hashInMemory = (key: string): string => digestOf('sha256', key, 'base64');
