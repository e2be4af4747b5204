import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type pg from 'pg';
import { z } from 'zod';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../database/embedded.postgres.js';
import { newId } from '../database/new.id.js';
import { ConnectionLost, SteadyConnection } from '../database/steady.connection.js';

const channel = 'portal_signals';
const announceEveryMs = 100;
const databaseWaitMs = 5_000;
/** PostgreSQL allows 8,000 bytes; an owner takes 39. */
const ownersNamed = 150;
const othersNamed = 20;

const signal = z.object({
  from: z.string(),
  /** `null` stands for too many to name. */
  owners: z.array(z.string()).nullable(),
  projects: z.array(
    z.object({
      ownerId: z.string(),
      projectId: z.string(),
      kind: z.enum(['created', 'updated', 'keyRotated', 'deleted']),
    }),
  ),
  sessions: z.array(z.string()),
});
type Signal = z.infer<typeof signal>;

/** What other instances tell. */
export interface SignalListener {
  /** Owners with new calls; `null` when all may have some. */
  onOwners(ownerIds: readonly string[] | null): void;
  onProject(change: Signal['projects'][number]): void;
  onSessionEnded(sessionId: string): void;
}

/**
 * Tells the other instances what happened here, at most ten times a second, over PostgreSQL's NOTIFY, and hears
 * them. A signal only wakes: what it says is read from the database, so a lost one costs time, nothing else. Its
 * connection also serves the reads of the live tail, which must not wait for the pool.
 */
@Injectable()
export class InstanceSignals implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Signals');
  private readonly connection: SteadyConnection;
  private readonly instanceId = newId();
  private listener: SignalListener | null = null;
  private owners = new Set<string>();
  private projects: Signal['projects'] = [];
  private sessions: string[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(DATABASE_ADDRESS) address: DatabaseAddress) {
    this.connection = new SteadyConnection(address, {
      name: 'realtime',
      prepare: async (client) => void (await client.query(`listen ${channel}`)),
      // What was said while nobody listened is unknown.
      onUp: () => this.listener?.onOwners(null),
      onNotification: (_channel, payload) => this.hear(payload),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.connection.start();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.connection.stop();
  }

  listen(listener: SignalListener): void {
    this.listener = listener;
  }

  /** Rejects with `ConnectionLost` while the database is away. */
  async read<T>(statement: pg.QueryConfig): Promise<T[]> {
    return (await this.connection.query(statement, databaseWaitMs)).rows as T[];
  }

  tellOwners(ownerIds: Iterable<string>): void {
    for (const ownerId of ownerIds) this.owners.add(ownerId);
    this.plan();
  }

  tellProject(change: Signal['projects'][number]): void {
    this.projects.push(change);
    this.plan();
  }

  tellSessionEnded(sessionId: string): void {
    this.sessions.push(sessionId);
    this.plan();
  }

  private plan(): void {
    this.timer ??= setTimeout(() => void this.announce(), announceEveryMs).unref();
  }

  private async announce(): Promise<void> {
    this.timer = undefined;
    const owners = this.owners.size > ownersNamed ? null : [...this.owners];
    const said: Signal = {
      from: this.instanceId,
      owners,
      projects: this.projects.splice(0, othersNamed),
      sessions: this.sessions.splice(0, othersNamed),
    };
    this.owners = new Set();
    if (this.projects.length > 0 || this.sessions.length > 0) this.plan();
    try {
      await this.connection.query(
        {
          name: 'signals.tell',
          text: 'select pg_notify($1, $2)',
          values: [channel, JSON.stringify(said)],
        },
        databaseWaitMs,
      );
    } catch (error) {
      // The others find out by their own slow poll.
      if (!(error instanceof ConnectionLost)) this.logger.error(`telling others failed: ${String(error)}`);
    }
  }

  private hear(payload: string): void {
    const heard = signal.safeParse(parseJson(payload));
    if (!heard.success || heard.data.from === this.instanceId || this.listener === null) return;
    const { owners, projects, sessions } = heard.data;
    if (owners === null || owners.length > 0) this.listener.onOwners(owners);
    for (const change of projects) this.listener.onProject(change);
    for (const sessionId of sessions) this.listener.onSessionEnded(sessionId);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
