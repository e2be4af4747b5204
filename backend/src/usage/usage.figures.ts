import { histogramBuckets, quantileOf } from '@orange-id/contract/latency.histogram';
import { bucketSecondsFor } from '@orange-id/contract/usage.range';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import type { TimeRange } from './usage.range.js';

/** The percentiles in a response, in percent. */
export const percents = [50, 95, 99] as const;
export type Percentiles = [p50: number | null, p95: number | null, p99: number | null];

/** The rank, from 1, of a percentile among `total` ordered calls (nearest rank). */
export const rankOf = (percent: number, total: number): number =>
  Math.max(1, Math.ceil((percent * total) / 100));

const originsMost = 50;

export interface Counts {
  calls: number;
  errors: number;
  blocked: number;
}

/** One bucket of the series. */
export interface BucketCounts extends Counts {
  serverErrors: number;
}

/** Adds up query results; every figure of a response comes from here. */
export class Figures {
  readonly stepMs: number;
  readonly totals: Counts = { calls: 0, errors: 0, blocked: 0 };
  private readonly histogram = new Array<number>(histogramBuckets).fill(0);
  private readonly series = new Map<number, BucketCounts>();
  private readonly lastAt: number;
  private readonly endpoints = new Map<string, { endpoint: string; method: string; calls: number }>();
  private readonly statuses = new Map<number, number>();
  private readonly keys = new Map<string, number>();
  private readonly origins = new Map<string | null, number>();

  /**
   * `range` is bounded: the caller replaces an open end with the current time. The buckets of the series are at least
   * `leastStepMs` wide.
   */
  constructor(
    private readonly range: TimeRange,
    leastStepMs = 0,
  ) {
    this.stepMs = Math.max(leastStepMs, bucketSecondsFor(range.to - range.from) * 1000);
    const first = Math.floor(range.from / this.stepMs) * this.stepMs;
    let at = first;
    for (; at < range.to; at += this.stepMs)
      this.series.set(at, { calls: 0, errors: 0, serverErrors: 0, blocked: 0 });
    this.lastAt = at - this.stepMs;
  }

  addTime(at: number, { calls, errors, serverErrors, blocked }: BucketCounts): void {
    this.totals.calls += calls;
    this.totals.errors += errors;
    this.totals.blocked += blocked;
    // The clock of another instance may run slightly ahead.
    const bucket = this.series.get(Math.min(at, this.lastAt)) as BucketCounts;
    bucket.calls += calls;
    bucket.errors += errors;
    bucket.serverErrors += serverErrors;
    bucket.blocked += blocked;
  }

  /** Figures of the same range and buckets without calls. */
  like(): Figures {
    return new Figures(this.range, this.stepMs);
  }

  /** Adds figures of the same range and buckets. */
  add(others: Figures): void {
    for (const [at, counts] of others.series) this.addTime(at, counts);
    for (const [bucket, calls] of others.histogram.entries()) this.addLatency(bucket, calls);
    for (const [name, { endpoint, method, calls }] of others.endpoints) {
      this.addEndpoint(name, { endpoint, method }, calls);
    }
    for (const [statusCode, calls] of others.statuses) add(this.statuses, statusCode, calls);
    for (const [keyId, calls] of others.keys) add(this.keys, keyId, calls);
    for (const [origin, calls] of others.origins) add(this.origins, origin, calls);
  }

  addLatency(bucket: number, calls: number): void {
    this.histogram[bucket] = (this.histogram[bucket] as number) + calls;
  }

  addKind(kind: { endpoint: string; method: string; statusCode: number }, calls: number): void {
    const { endpoint, method, statusCode } = kind;
    this.addEndpoint(`${method} ${endpoint}`, { endpoint, method }, calls);
    add(this.statuses, statusCode, calls);
  }

  private addEndpoint(name: string, route: { endpoint: string; method: string }, calls: number): void {
    const known = this.endpoints.get(name);
    if (known) known.calls += calls;
    else this.endpoints.set(name, { ...route, calls });
  }

  addKey(keyId: string, calls: number): void {
    add(this.keys, keyId, calls);
  }

  addOrigin(origin: string | null, calls: number): void {
    add(this.origins, origin, calls);
  }

  /** `exact` holds percentiles computed from the rows; without it, they come from the histogram. */
  result({
    exact,
    hasOrigins,
  }: {
    exact: Percentiles | null;
    hasOrigins: boolean;
  }): Omit<UsageMetrics, 'today'> {
    const [p50, p95, p99] =
      exact ?? (percents.map((percent) => quantileOf(this.histogram, percent / 100)) as Percentiles);
    return {
      from: new Date(this.range.from).toISOString(),
      to: new Date(this.range.to).toISOString(),
      bucketSeconds: this.stepMs / 1000,
      totals: { ...this.totals, p50, p95, p99 },
      percentiles: exact ? 'exact' : 'histogram',
      series: [...this.series].map(([at, counts]) => ({ at: new Date(at).toISOString(), ...counts })),
      endpoints: [...this.endpoints.values()].sort(
        (a, b) => b.calls - a.calls || (a.endpoint + a.method < b.endpoint + b.method ? -1 : 1),
      ),
      statuses: [...this.statuses]
        .map(([statusCode, calls]) => ({ statusCode, calls }))
        .sort((a, b) => a.statusCode - b.statusCode),
      keys: byCalls(this.keys).map(([keyId, calls]) => ({ keyId, calls })),
      origins: hasOrigins
        ? byCalls(this.origins)
            .slice(0, originsMost)
            .map(([origin, calls]) => ({ origin, calls }))
        : null,
    };
  }
}

function add<K>(counts: Map<K, number>, key: K, calls: number): void {
  counts.set(key, (counts.get(key) ?? 0) + calls);
}

/** Sorts by calls, most first, then by name. */
const byCalls = <K extends string | null>(counts: Map<K, number>): [K, number][] =>
  [...counts].sort(([a, calls], [b, others]) => others - calls || (String(a) < String(b) ? -1 : 1));
