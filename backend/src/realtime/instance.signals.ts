import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { forumChange, type ForumChange } from '@orange-id/contract/forum.schema';
import { projectChanges } from '@orange-id/contract/socket.events';
import { z } from 'zod';
import { DATABASE_ADDRESS } from '../database/database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { newId } from '../database/new.id.js';
import { ConnectionLost, SteadyConnection } from '../database/steady.connection.js';

const channel = 'portal_signals';
const announceEveryMs = 100;
const databaseWaitMs = 5_000;
/** PostgreSQL allows 8,000 bytes per notification; an owner or a session takes 39, a project 120. */
const idsNamed = 150;
const projectsNamed = 50;
const forumChangesNamed = 25;

const signal = z.object({
  from: z.string(),
  /** `null` means too many to list. */
  owners: z.array(z.string()).nullable(),
  projects: z.array(
    z.object({
      ownerId: z.string(),
      projectId: z.string(),
      kind: z.enum(projectChanges),
    }),
  ),
  sessions: z.array(z.string()),
  // Missing in signals of an instance of an older version.
  /** Owners of changed keys. */
  keys: z.array(z.string()).default([]),
  forum: z.array(forumChange).default([]),
});
type Signal = z.infer<typeof signal>;

/** Notifications from other instances. */
export interface SignalListener {
  /** Owners with new calls; `null` if any owner may have some. */
  onOwners(ownerIds: readonly string[] | null): void;
  onProject(change: Signal['projects'][number]): void;
  onSessionEnded(sessionId: string): void;
  onForum(change: ForumChange): void;
  /** A key of this user changed. */
  onKeys(userId: string): void;
}

/**
 * Notifies the other instances of local changes, at most ten times a second, over PostgreSQL's NOTIFY, and receives
 * theirs. A lost notification of calls or of the end of a session costs only time, because the receiver also polls the
 * database; a lost change of a project, a key or the community is not repeated. The connection also serves the reads of the live tail, which must
 * not wait for the pool.
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
  private forum: ForumChange[] = [];
  private keys = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(DATABASE_ADDRESS) address: DatabaseAddress) {
    this.connection = new SteadyConnection(address, {
      name: 'realtime',
      prepare: async (client) => void (await client.query(`listen ${channel}`)),
      // Notifications sent while the connection was down are lost.
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

  tellForum(change: ForumChange): void {
    this.forum.push(change);
    this.plan();
  }

  tellKeys(userId: string): void {
    this.keys.add(userId);
    this.plan();
  }

  private plan(): void {
    this.timer ??= setTimeout(() => void this.announce(), announceEveryMs).unref();
  }

  private async announce(): Promise<void> {
    this.timer = undefined;
    const signals = this.takeSignals().map((said) => JSON.stringify({ from: this.instanceId, ...said }));
    try {
      await this.connection.query(
        {
          name: 'signals.tell',
          text: 'select pg_notify($1, said) from unnest($2::text[]) as said',
          values: [channel, signals],
        },
        databaseWaitMs,
      );
    } catch (error) {
      // The other instances notice new calls and ended sessions at their next slow poll.
      if (!(error instanceof ConnectionLost))
        this.logger.error(`notifying other instances failed: ${String(error)}`);
    }
  }

  /** Everything to announce, in pieces that each fit into one notification. */
  private takeSignals(): Omit<Signal, 'from'>[] {
    const none = { owners: [], projects: [], sessions: [], forum: [], keys: [] };
    const owners = this.owners.size > idsNamed ? null : [...this.owners];
    const signals: Omit<Signal, 'from'>[] = owners?.length === 0 ? [] : [{ ...none, owners }];
    for (const projects of piecesOf(this.projects, projectsNamed)) signals.push({ ...none, projects });
    for (const sessions of piecesOf(this.sessions, idsNamed)) signals.push({ ...none, sessions });
    for (const forum of piecesOf(this.forum, forumChangesNamed)) signals.push({ ...none, forum });
    for (const keys of piecesOf([...this.keys], idsNamed)) signals.push({ ...none, keys });
    this.keys = new Set();
    this.forum = [];
    this.owners = new Set();
    this.projects = [];
    this.sessions = [];
    return signals;
  }

  private hear(payload: string): void {
    const received = signal.safeParse(parseJson(payload));
    if (!received.success || received.data.from === this.instanceId || this.listener === null) return;
    const { owners, projects, sessions, forum, keys } = received.data;
    if (owners === null || owners.length > 0) this.listener.onOwners(owners);
    for (const change of projects) this.listener.onProject(change);
    for (const sessionId of sessions) this.listener.onSessionEnded(sessionId);
    for (const change of forum) this.listener.onForum(change);
    for (const userId of keys) this.listener.onKeys(userId);
  }
}

/** Notifies every instance at the commit of the caller's transaction; for a process that isn't an instance itself. */
export async function tellInstances(
  manager: EntityManager,
  told: { sessions?: readonly string[]; keys?: readonly string[] },
): Promise<void> {
  const none = { from: newId(), owners: [], projects: [], sessions: [], keys: [] };
  const signals = [
    ...piecesOf(told.sessions ?? [], idsNamed).map((sessions) => ({ ...none, sessions })),
    ...piecesOf(told.keys ?? [], idsNamed).map((keys) => ({ ...none, keys })),
  ];
  for (const said of signals)
    await manager.query('select pg_notify($1, $2)', [channel, JSON.stringify(said)]);
}

const piecesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
