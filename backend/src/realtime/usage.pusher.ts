import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { ResumeAnswer, ResyncReason, ServerEvents } from '@orange-id/contract/socket.events';
import { WAITS } from '../config/waits.js';
import type { Waits } from '../config/waits.js';
import { ConnectionLost } from '../database/steady.connection.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { errorSql, usageColumns, UsageRecord, usageRowOf } from '../usage/usage.sql.js';
import type { Histogram } from 'prom-client';
import { InstanceSignals } from './instance.signals.js';

/** One open page. */
export interface Viewer {
  readonly userId: string;
  emit<E extends keyof ServerEvents>(event: E, ...args: Parameters<ServerEvents[E]>): void;
  /** False while too many earlier packets are still queued. */
  isReady(): boolean;
  /** Ends the connection without waiting for its client. */
  cut(): void;
}

interface Place {
  viewer: Viewer;
  /** The last sequence sent; `null` until the page has sent its position. */
  cursor: number | null;
  /** Every row up to here is sent, however far behind the page is: the response to its resume promised them. */
  promised: number;
  /** Since when the page is not ready, as `performance.now()`; `null` while it is ready. */
  stuckSince: number | null;
}

/** Pages of one owner at the same sequence share one read. */
interface Group {
  userId: string;
  cursor: number;
  head: number;
  places: Place[];
}

/** A page further behind than this reloads its data over HTTP; catching up here would take 2.5 s and 25 pushes. */
const resumeMostRows = 5_000;
/** A page that falls this far behind gets a summary instead, and continues near the head. */
const summariseOverRows = 2_000;
const pollEveryMs = 5_000;
const ownersPerRead = 1_000;
const rowsPerRead = 20_000;

/**
 * Sends each open page the rows after its last one, by the owner's sequence, at most every 100 ms and 200 at a time. It
 * reads them from the database, whichever instance stored them, so every page gets every row once, as a row or in a
 * summary; a notification only makes it read sooner than its slow poll.
 */
@Injectable()
export class UsagePusher implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Live');
  private readonly places = new Map<string, Set<Place>>();
  private dirty = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private poll: NodeJS.Timeout | undefined;
  private isRunning = false;
  private lastRunAt = -Infinity;
  private readonly lag: Histogram;

  constructor(
    private readonly signals: InstanceSignals,
    @Inject(WAITS) private readonly waits: Waits,
    metrics: MetricsRegistry,
  ) {
    metrics.gauge('live_pages', 'Open pages with a live connection', () => this.pages);
    this.lag = metrics.histogram(
      'live_push_lag_seconds',
      'Time from a call to its row in an open page',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    );
  }

  onModuleInit(): void {
    this.poll = setInterval(() => this.wake(null), pollEveryMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.poll);
    clearTimeout(this.timer);
    this.places.clear();
    this.dirty.clear();
  }

  /** Adds a page. It receives nothing until it resumes. */
  add(viewer: Viewer): Place {
    const place: Place = { viewer, cursor: null, promised: 0, stuckSince: null };
    const places = this.places.get(viewer.userId) ?? new Set();
    this.places.set(viewer.userId, places.add(place));
    return place;
  }

  remove(place: Place): void {
    const places = this.places.get(place.viewer.userId);
    places?.delete(place);
    if (places?.size === 0) this.places.delete(place.viewer.userId);
  }

  /**
   * Continues a page after the sequence number `after` (`null` if the page sent no valid one), or at the head if the
   * page must reload. Rejects with `ConnectionLost` while the database is down.
   */
  async resume(place: Place, after: number | null): Promise<ResumeAnswer> {
    const { userId } = place.viewer;
    const head = (await this.headsOf([userId])).get(userId) ?? 0;
    const reason = whyResync(after, head);
    place.cursor = reason === null ? after : head;
    place.promised = head;
    return reason === null ? { ok: true, head } : { resync: true, head, reason };
  }

  /** Marks owners that may have new rows; `null` stands for all. */
  wake(ownerIds: Iterable<string> | null): void {
    for (const ownerId of ownerIds ?? this.places.keys()) {
      if (this.places.has(ownerId)) this.dirty.add(ownerId);
    }
    this.plan();
  }

  private get pages(): number {
    let pages = 0;
    for (const places of this.places.values()) pages += places.size;
    return pages;
  }

  private plan(): void {
    if (this.isRunning || this.timer !== undefined || this.dirty.size === 0) return;
    const wait = Math.max(0, this.lastRunAt + limits.livePushEveryMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.run();
    }, wait).unref();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    this.lastRunAt = performance.now();
    const owners = [...this.dirty];
    this.dirty = new Set();
    try {
      for (let i = 0; i < owners.length; i += ownersPerRead) {
        await this.serve(owners.slice(i, i + ownersPerRead));
      }
    } catch (error) {
      // After a reconnect every owner is checked again.
      if (!(error instanceof ConnectionLost)) this.logger.error(`the live tail failed: ${String(error)}`);
    } finally {
      this.isRunning = false;
    }
    this.plan();
  }

  private async serve(owners: string[]): Promise<void> {
    const groups = this.groupsBehind(await this.headsOf(owners));
    const late = groups.filter(
      (group) =>
        group.head - group.cursor > summariseOverRows &&
        group.places.every((place) => group.cursor >= place.promised),
    );
    for (const group of late) await this.summarise(group);
    if (groups.length > 0) await this.pushRows(groups);
  }

  private async headsOf(owners: string[]): Promise<Map<string, number>> {
    const rows = await this.signals.read<{ user_id: string; seq: string }>({
      name: 'live.heads',
      text: 'select user_id, seq from usage_heads where user_id = any($1::uuid[])',
      values: [owners],
    });
    return new Map(rows.map((row) => [row.user_id, Number(row.seq)]));
  }

  /**
   * The pages that lack rows, grouped by the rows they need. A page that cannot receive more yet is checked again in
   * the next run.
   */
  private groupsBehind(heads: Map<string, number>): Group[] {
    const groups = new Map<string, Group>();
    for (const [userId, head] of heads) {
      for (const place of this.places.get(userId) ?? []) {
        const { cursor } = place;
        if (cursor === null || cursor >= head) continue;
        if (!place.viewer.isReady()) {
          place.stuckSince ??= performance.now();
          // A client that answers pings without reading would hold its packets forever.
          if (performance.now() - place.stuckSince > this.waits.slowSocketMs) place.viewer.cut();
          else this.dirty.add(userId);
          continue;
        }
        place.stuckSince = null;
        // Pages with promised rows are served separately from pages that may get a summary.
        const name = `${userId} ${cursor} ${cursor < place.promised}`;
        const group = groups.get(name) ?? { userId, cursor, head, places: [] };
        group.places.push(place);
        groups.set(name, group);
      }
    }
    return [...groups.values()];
  }

  /** Sends a summary of all but the last `limits.liveRowsPerPush` rows, which follow as rows. */
  private async summarise(group: Group): Promise<void> {
    const [from, to] = [group.cursor + 1, group.head - limits.liveRowsPerPush];
    const rows = await this.signals.read<{ calls: string; errors: string }>({
      name: 'live.summary',
      text: `select coalesce(sum(calls), 0) as calls, coalesce(sum(calls) filter (where ${errorSql}), 0) as errors
        from api_usage where user_id = $1 and seq between $2 and $3`,
      values: [group.userId, from, to],
    });
    const { calls, errors } = rows[0] as { calls: string; errors: string };
    const summary = { calls: Number(calls), errors: Number(errors), from, to };
    this.send(group, to, (viewer) => viewer.emit('usage.summary', summary));
  }

  private async pushRows(groups: Group[]): Promise<void> {
    const limit = Math.min(limits.liveRowsPerPush, Math.max(20, Math.floor(rowsPerRead / groups.length)));
    const records = await this.signals.read<UsageRecord & { place: number }>({
      name: 'live.rows',
      text: `select g.place::int as place, r.*
        from unnest($1::uuid[], $2::bigint[]) with ordinality as g (user_id, cursor, place)
        cross join lateral (
          select ${usageColumns} from api_usage u
          where u.user_id = g.user_id and u.seq > g.cursor order by u.seq limit $3
        ) r
        order by g.place, r.seq`,
      values: [groups.map((group) => group.userId), groups.map((group) => group.cursor), limit],
    });
    const rowsOf = groups.map(() => [] as UsageRecord[]);
    for (const record of records) rowsOf[record.place - 1]?.push(record);
    for (const [place, group] of groups.entries()) {
      const rows = (rowsOf[place] as UsageRecord[]).map(usageRowOf);
      const last = rows.at(-1);
      if (last === undefined) continue;
      const push = { rows, seq: last.seq };
      // Rows that a page missed while it was away are old.
      const isLive = group.places.every((place) => group.cursor >= place.promised);
      if (isLive) this.lag.observe(Math.max(0, Date.now() - Date.parse(last.timestamp)) / 1000);
      this.send(group, last.seq, (viewer) => viewer.emit('usage.rows', push));
      if (last.seq < group.head || rows.length === limit) this.dirty.add(group.userId);
    }
  }

  /** Skips a page that resumed again or left during the query, because its position has changed. */
  private send(group: Group, cursor: number, emit: (viewer: Viewer) => void): void {
    group.places = group.places.filter(
      (place) => place.cursor === group.cursor && this.places.get(group.userId)?.has(place),
    );
    for (const place of group.places) {
      emit(place.viewer);
      place.cursor = cursor;
    }
    group.cursor = cursor;
  }
}

function whyResync(after: number | null, head: number): ResyncReason | null {
  if (after === null) return 'malformed';
  if (after > head) return 'ahead';
  return head - after > resumeMostRows ? 'behind' : null;
}
