import type { UsagePage, UsageRow } from '@orange-id/contract/usage.schema';

/** Rows kept while the list follows; older ones can be loaded again. */
export const tailCapacity = 500;
/** A batch of more rows is not faded in: nobody could follow, and each fade costs a style pass per frame. */
const fadedRows = 8;
/** Rows kept while the user pages back. */
export const tailLimit = 2_000;

export interface TailState {
  /** Newest first. */
  rows: readonly UsageRow[];
  isLoading: boolean;
  /** When the newest calls were last fetched, in ms since the epoch. */
  readAt: number | null;
  /** Why the newest calls could not be fetched. */
  error: Error | null;
  /** Whether calls may be missing among the rows: none were fetched yet, or some were skipped and not fetched since. */
  isIncomplete: boolean;
  /** Whether older calls are available; `full` if the list has `tailLimit` rows. */
  older: 'none' | 'some' | 'loading' | 'failed' | 'full';
  /** Rows after this sequence number arrived live, a few at a time, and are faded in. */
  liveAfter: number;
  /** Whether rows arrive faster than a user can follow. */
  isFast: boolean;
}

type Read = (cursor: { before?: number }) => Promise<UsagePage>;

const empty: readonly UsageRow[] = [];
const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Puts newer rows (oldest first) on top of a list (newest first), without duplicates. */
function putOnTop(newer: readonly UsageRow[], rows: readonly UsageRow[]): UsageRow[] {
  const top = rows[0]?.seq ?? 0;
  return [...newer.filter((row) => row.seq > top).reverse(), ...rows];
}

/**
 * The calls of one view: the newest fetched from the server, live ones on top, older ones by page, limited in number.
 */
export class TailStore {
  private state: TailState = {
    rows: empty,
    isLoading: true,
    readAt: null,
    error: null,
    isIncomplete: true,
    older: 'none',
    liveAfter: Infinity,
    isFast: false,
  };
  /** Rows that arrived while the list was paused, oldest first; `null` while it follows live calls. */
  private waiting: UsageRow[] | null = null;
  private isReadDue = false;
  private readCount = 0;
  private olderCount = 0;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly read: Read,
    private readonly now: () => number = Date.now,
  ) {}

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly getState = () => this.state;

  private set(change: Partial<TailState>) {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Fetches the newest calls again; a paused list does so when it resumes. */
  async refresh(): Promise<void> {
    if (this.waiting) {
      this.isReadDue = true;
      return;
    }
    const turn = ++this.readCount;
    this.isReadDue = false;
    this.olderCount++;
    this.set({ isLoading: this.state.rows.length === 0 });
    try {
      const page = await this.read({});
      if (turn !== this.readCount) return;
      const newest = page.rows[0]?.seq ?? 0;
      const arrived = this.state.rows.filter((row) => row.seq > newest);
      this.set({
        rows: [...arrived, ...page.rows],
        isLoading: false,
        readAt: this.now(),
        error: null,
        isIncomplete: false,
        older: page.next === null ? 'none' : 'some',
        liveAfter: this.state.readAt === null ? newest : this.state.liveAfter,
      });
    } catch (error) {
      if (turn === this.readCount) this.set({ isLoading: false, error: toError(error) });
    }
  }

  /** Fetches the newest calls again after some were skipped. */
  async resync(): Promise<void> {
    this.set({ isIncomplete: true });
    await this.refresh();
  }

  /** Fetches the newest calls again if the last attempt failed. */
  async recover(): Promise<void> {
    if (this.state.error) await this.refresh();
  }

  /** Adds live rows, oldest first. */
  push(rows: readonly UsageRow[]): void {
    if (rows.length === 0) return;
    if (this.waiting) {
      this.waiting = [...this.waiting, ...rows];
      if (this.waiting.length <= tailCapacity) return;
      this.waiting = [];
      this.isReadDue = true;
      this.set({ isIncomplete: true });
      return;
    }
    const all = putOnTop(rows, this.state.rows);
    const isOver = all.length > tailCapacity;
    // `isFast` ends at a lower limit than it starts, so that a rate near the limit doesn't toggle it with every push.
    const isFast = rows.length > (this.state.isFast ? fadedRows / 2 : fadedRows);
    this.set({
      rows: isOver ? all.slice(0, tailCapacity) : all,
      isLoading: false,
      isFast,
      ...(rows.length > fadedRows ? { liveAfter: all[0]?.seq ?? 0 } : {}),
      ...(isOver && this.state.older === 'none' ? { older: 'some' } : {}),
    });
  }

  /** Holds the list: new rows wait. */
  pause(): void {
    this.waiting ??= [];
  }

  /** Follows again, with the waiting rows on top. */
  resume(): void {
    const waiting = this.waiting;
    if (!waiting) return;
    this.waiting = null;
    const rows = this.state.rows.slice(0, tailCapacity);
    if (rows.length < this.state.rows.length) {
      this.olderCount++;
      this.set({ rows, older: 'some' });
    }
    if (this.isReadDue) void this.refresh();
    else this.push(waiting);
  }

  /** Loads the page before the oldest row. */
  async loadOlder(): Promise<void> {
    const last = this.state.rows.at(-1);
    if (!last || this.state.older === 'loading') return;
    const turn = ++this.olderCount;
    this.set({ older: 'loading' });
    try {
      const page = await this.read({ before: last.seq });
      if (turn !== this.olderCount) return;
      const rows = [...this.state.rows, ...page.rows].slice(0, tailLimit);
      this.set({ rows, older: page.next === null ? 'none' : rows.length < tailLimit ? 'some' : 'full' });
    } catch {
      if (turn === this.olderCount) this.set({ older: 'failed' });
    }
  }

  /** Drops the rows that have left the range as time passed; `from` in ms since the epoch. */
  dropBefore(from: number): void {
    const { rows } = this.state;
    const isOld = (row: UsageRow) => Date.parse(row.timestamp) < from;
    const last = rows.at(-1);
    if (!this.waiting && last && isOld(last))
      this.set({ rows: rows.filter((row) => !isOld(row)), older: 'none' });
  }
}
