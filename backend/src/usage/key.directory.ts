import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { hash as digestOf } from 'node:crypto';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../database/embedded.postgres.js';
import { ConnectionLost, SteadyConnection } from '../database/steady.connection.js';
import { SecretsService } from '../secrets/secrets.service.js';

/** What the hot path knows of a live key. */
export interface KnownKey {
  id: string;
  userId: string;
  name: string;
  prefix: string;
  /** `null` for a saved key, which belongs to no project and has no whitelist. */
  project: { code: string; name: string; urls: string[] } | null;
}

interface Fill {
  startedAt: number;
  result: Promise<KnownKey | null>;
}

const pollEveryMs = 500;
/** A change must be in force within 1 s: what was not confirmed by a poll that began since then is not used. */
const freshForMs = 1_000;
const joinWithinMs = 500;
const databaseWaitMs = 2_000;
const keysKept = 20_000;
const afterLongSilenceMs = 60_000;

const findSql = `
select k.id, k.user_id, k.name, k.prefix, p.code, p.project_name,
  array(select u.url from project_urls u where u.project_id = p.id) as urls
from api_keys k left join projects p on p.id = k.project_id
where k.key_hash = any($1) and k.is_active`;

/**
 * Finds live API keys by their keyed hash, from memory when it can (bounded, known and unknown keys apart so that
 * made-up keys push out no real one). Key and domain changes are in force within 1 s: it polls the change sequence
 * every 500 ms, reads through to the database while that fails, and throws away what was read before a change.
 */
@Injectable()
export class KeyDirectory implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Keys');
  private readonly connection: SteadyConnection;
  private readonly known = new Map<string, KnownKey>();
  private readonly hashes = new Map<string, string>();
  private readonly unknown = new Set<string>();
  private readonly fills = new Map<string, Fill>();
  private generation = 0;
  private version: string | null = null;
  private confirmedAt = -Infinity;
  private poll: NodeJS.Timeout | undefined;
  private isPolling = false;

  constructor(
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
    private readonly secrets: SecretsService,
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

  /** The live key that `key` spells, or `null`; a promise when the database has to be asked, which may reject. */
  find(key: string): KnownKey | null | Promise<KnownKey | null> {
    const hash = hashInMemory(key);
    if (performance.now() - this.confirmedAt < freshForMs) {
      const found = this.known.get(hash);
      if (found !== undefined) {
        this.known.delete(hash);
        this.known.set(hash, found);
        return found;
      }
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

  private async read(key: string): Promise<KnownKey | null> {
    const hashes = this.secrets.versions.map((version) =>
      this.secrets.lookupHash('api-key.lookup', key, version),
    );
    const { rows } = await this.connection.query(
      { name: 'keys.find', text: findSql, values: [hashes] },
      databaseWaitMs,
    );
    const row = rows[0];
    if (row === undefined) return null;
    const project = row.code === null ? null : { code: row.code, name: row.project_name, urls: row.urls };
    return { id: row.id, userId: row.user_id, name: row.name, prefix: row.prefix, project };
  }

  private keep(hash: string, found: KnownKey | null): void {
    if (found === null) {
      this.known.delete(hash);
      this.unknown.add(hash);
      if (this.unknown.size > keysKept) this.unknown.delete(this.unknown.values().next().value as string);
      return;
    }
    this.known.set(hash, found);
    this.hashes.set(found.id, hash);
    if (this.known.size <= keysKept) return;
    const [oldest, { id }] = this.known.entries().next().value as [string, KnownKey];
    this.known.delete(oldest);
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
      // Kept through short outages: changes made meanwhile are in the sequence, however late it is read.
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
      // The connection has logged its own loss; until it is back every look-up asks the database.
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
    }
  }
}

/** A third of the work of the keyed hash that the table holds; 160 random bits are not guessed from it either. */
const hashInMemory = (key: string): string => digestOf('sha256', key, 'base64');
