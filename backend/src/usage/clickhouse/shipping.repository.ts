import type pg from 'pg';

/** Rows of one owner: those after `low`, up to `high`. */
export interface Span {
  userId: string;
  low: number;
  high: number;
}

/** An insert that began and is not confirmed yet. */
export interface Shipment {
  insertId: string;
  spans: Span[];
  /** How long ago it began, by the database's clock. */
  ageMs: number;
}

/** Hours in a row that are built together; `to` is exclusive. */
export interface HoursToBuild {
  from: number;
  to: number;
  build: number;
}

/** Rows that are old enough to be deleted: how many there are, and their first and last time in ms. */
export interface OldSpan extends Span {
  rows: number;
  from: number;
  to: number;
}

/** A row as texts, in the order of `selected`. */
export type CallTexts = [
  userId: string,
  keyId: string,
  ts: string,
  seq: string,
  project: string,
  endpoint: string,
  method: string,
  status: string,
  outcome: string,
  errorCode: string,
  origin: string,
  path: string,
  duration: string,
  calls: string,
];

const selected = `user_id, api_key_id, (extract(epoch from timestamp) * 1000)::bigint, seq, coalesce(project_id, ''),
  endpoint, method, status_code, outcome, coalesce(error_code, ''), coalesce(origin, ''), coalesce(path, ''),
  response_time, calls`;

const shippingLock = 7_276_003;
const ownersAtOnce = 1_000;
const asText = { getTypeParser: () => (text: unknown) => text } as unknown as pg.CustomTypesConfig;

type Query = (statement: pg.QueryConfig) => Promise<pg.QueryResult>;

/** What PostgreSQL knows of the rows in ClickHouse. All statements run on the connection that holds the lock. */
export class ShippingRepository {
  constructor(private readonly query: Query) {}

  /** Takes the lock of the one instance that ships, for the lifetime of the connection; returns whether it has it. */
  async hold(): Promise<boolean> {
    const { rows } = await this.query({
      text: 'select pg_try_advisory_lock($1) as held',
      values: [shippingLock],
    });
    return rows[0].held;
  }

  /**
   * The next rows of the owners after `after`, at most `rowsMost`, in sequence order for each owner. Rows of `taken` are
   * on their way and count as shipped.
   */
  async next(after: string, rowsMost: number, taken: readonly Span[] = []): Promise<Span[]> {
    const [owners, , highs] = columnsOf(taken);
    const { rows } = await this.query({
      name: 'shipping.next',
      text: `with behind as (
          select h.user_id, coalesce(t.seq, s.seq, 0) as low, least(h.seq, coalesce(t.seq, s.seq, 0) + $2) as high
          from usage_heads h join users u on u.id = h.user_id left join usage_shipped s on s.user_id = h.user_id
            left join unnest($3::uuid[], $4::bigint[]) as t (user_id, seq) on t.user_id = h.user_id
          where h.seq > coalesce(t.seq, s.seq, 0) and h.user_id > $1
          order by h.user_id limit ${ownersAtOnce}
        ), summed as (
          select *, sum(high - low) over (order by user_id) - (high - low) as before from behind
        )
        select user_id, low, least(high, low + $2 - before) as high from summed where before < $2 order by user_id`,
      values: [after, rowsMost, owners, highs],
    });
    return rows.map(({ user_id: userId, low, high }) => ({ userId, low: Number(low), high: Number(high) }));
  }

  async rows(spans: readonly Span[]): Promise<CallTexts[]> {
    const { rows } = await this.query({
      name: 'shipping.rows',
      text: `select r.* from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as s (owner, low, high)
        cross join lateral (
          select ${selected} from api_usage where user_id = s.owner and seq > s.low and seq <= s.high
          order by seq offset 0
        ) r`,
      values: columnsOf(spans),
      rowMode: 'array',
      types: asText,
    } as pg.QueryConfig);
    return rows as unknown as CallTexts[];
  }

  /** Notes an insert before it begins. The sums of the hours that it touches count no longer. */
  async begin(insertId: string, spans: readonly Span[], hours: readonly number[]): Promise<void> {
    await this.query({
      name: 'shipping.begin',
      text: `with touched as (
          insert into usage_shipped_hours as h (hour) select unnest($3::int[])
          on conflict (hour) do update set is_built = false where h.is_built
        )
        insert into usage_shipment (id, insert_id, spans, started_at) values (1, $1, $2, clock_timestamp())
        on conflict (id) do update
          set insert_id = excluded.insert_id, spans = excluded.spans, started_at = excluded.started_at`,
      values: [insertId, JSON.stringify(spans), hours],
    });
  }

  /** Notes that ClickHouse has every row of the insert. */
  async confirm(insertId: string, spans: readonly Span[]): Promise<void> {
    const [owners, , highs] = columnsOf(spans);
    await this.query({
      name: 'shipping.confirm',
      text: `with mine as (delete from usage_shipment where id = 1 and insert_id = $3 returning id)
        insert into usage_shipped as s (user_id, seq)
        select o.user_id, o.seq from mine cross join unnest($1::uuid[], $2::bigint[]) as o (user_id, seq)
        on conflict (user_id) do update set seq = greatest(s.seq, excluded.seq)`,
      values: [owners, highs, insertId],
    });
  }

  /** The insert that began and was not confirmed, if any. */
  async unconfirmed(): Promise<Shipment | null> {
    const { rows } = await this.query({
      text: `select insert_id as "insertId", spans,
          extract(epoch from clock_timestamp() - started_at)::float8 * 1000 as "ageMs"
        from usage_shipment`,
    });
    return rows[0] ?? null;
  }

  /** The last hour with shipped rows; null if there is none. */
  async lastHour(): Promise<number | null> {
    const { rows } = await this.query({ text: 'select max(hour) as hour from usage_shipped_hours' });
    return rows[0].hour;
  }

  /** Up to which row ClickHouse may have the rows of these owners, by what PostgreSQL knows. */
  async known(userIds: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.query({
      text: `select u.id, greatest(
          (select s.seq from usage_shipped s where s.user_id = u.id),
          (select max((p->>'high')::bigint) from usage_shipment, jsonb_array_elements(spans) as p
            where p->>'userId' = u.id::text), 0) as seq
        from unnest($1::uuid[]) as u (id)`,
      values: [userIds],
    });
    return new Map(rows.map(({ id, seq }) => [id, Number(seq)]));
  }

  /** Makes the sums of hours from `from` on count no longer. */
  async forgetSums(from: number): Promise<void> {
    await this.query({
      text: 'update usage_shipped_hours set is_built = false where hour >= $1 and is_built',
      values: [from],
    });
  }

  /** How many rows are stored and not shipped. */
  async lag(): Promise<number> {
    const { rows } = await this.query({
      text: `select coalesce(sum(h.seq - coalesce(s.seq, 0)), 0) as rows
        from usage_heads h join users u on u.id = h.user_id left join usage_shipped s on s.user_id = h.user_id`,
    });
    return Number(rows[0].rows);
  }

  /** The oldest hours before `before` without valid sums, at most a day of them; `build` is the highest so far. */
  async nextHours(before: number): Promise<HoursToBuild | null> {
    const { rows } = await this.query({
      text: `with first as (
          select hour from usage_shipped_hours where not is_built and hour < $1 order by hour limit 1
        ), wanted as (
          select h.hour, h.build, row_number() over (order by h.hour) + f.hour - 1 as expected
          from usage_shipped_hours h, first f
          where not h.is_built and h.hour >= f.hour and h.hour < $1 and h.hour / 24 = f.hour / 24
        )
        select min(hour) as "from", max(hour) + 1 as "to", max(build) as build from wanted where hour = expected`,
      values: [before],
    });
    return rows[0].from === null ? null : rows[0];
  }

  async beginBuild({ from, to, build }: HoursToBuild): Promise<void> {
    await this.query({
      text: `update usage_shipped_hours set build = $3, is_tidy = $3 = 1 where hour >= $1 and hour < $2`,
      values: [from, to, build],
    });
  }

  async endBuild({ from, to, build }: HoursToBuild): Promise<void> {
    await this.query({
      text: 'update usage_shipped_hours set is_built = true where hour >= $1 and hour < $2 and build = $3',
      values: [from, to, build],
    });
  }

  /** Hours with sums of earlier builds in ClickHouse, which nobody reads. */
  async untidy(): Promise<{ hour: number; build: number }[]> {
    const { rows } = await this.query({
      text: 'select hour, build from usage_shipped_hours where is_built and not is_tidy order by hour limit 100',
    });
    return rows;
  }

  async tidied(hours: readonly { hour: number; build: number }[]): Promise<void> {
    await this.query({
      text: `update usage_shipped_hours h set is_tidy = true
        from unnest($1::int[], $2::int[]) as o (hour, build) where h.hour = o.hour and h.build = o.build`,
      values: [hours.map(({ hour }) => hour), hours.map(({ build }) => build)],
    });
  }

  /** Removed accounts whose calls ClickHouse still has; from now on they are `isLeaving`. */
  async leaving(): Promise<{ userId: string; isLeaving: boolean }[]> {
    const { rows } = await this.query({
      text: `with gone as (
          select user_id, is_leaving from usage_shipped s
          where not exists (select from users u where u.id = s.user_id) limit 100
        ), marked as (
          update usage_shipped s set is_leaving = true from gone g where s.user_id = g.user_id and not g.is_leaving
        )
        select user_id as "userId", is_leaving as "isLeaving" from gone`,
    });
    return rows;
  }

  async left(userIds: readonly string[]): Promise<void> {
    await this.query({ text: 'delete from usage_shipped where user_id = any($1)', values: [userIds] });
  }

  /**
   * The oldest rows of owners after `after` that are shipped, counted in the roll-ups and older than `before`: at most
   * `rowsMost` of each of a few owners.
   */
  async prunable(after: string, before: Date, rowsMost: number): Promise<OldSpan[]> {
    const { rows } = await this.query({
      text: `with due as (
          select s.user_id, s.pruned as low, least(s.pruned + $3, s.seq, w.owner_cells_seq) as high
          from usage_shipped s join usage_watermarks w using (user_id)
          where s.user_id > $1 and s.pruned < least(s.seq, w.owner_cells_seq) order by s.user_id limit 20
        ), old as (
          select d.user_id, d.low, coalesce((
              select min(r.seq) - 1 from api_usage r
              where r.user_id = d.user_id and r.seq > d.low and r.seq <= d.high and r.timestamp >= $2
            ), d.high) as high
          from due d
        )
        select o.user_id as "userId", o.low, o.high, r.rows, r.first, r.last
        from old o cross join lateral (
          select count(*)::int as rows, min(extract(epoch from timestamp) * 1000)::float8 as first,
            max(extract(epoch from timestamp) * 1000)::float8 as last
          from api_usage where user_id = o.user_id and seq > o.low and seq <= o.high
        ) r order by 1`,
      values: [after, before, rowsMost],
    });
    return rows.map(({ userId, low, high, rows: count, first, last }) => ({
      userId,
      low: Number(low),
      high: Number(high),
      rows: count,
      from: first ?? 0,
      to: last ?? 0,
    }));
  }

  /** Deletes rows that ClickHouse has; returns how many. */
  async prune(spans: readonly Span[]): Promise<number> {
    const { rows } = await this.query({
      text: `with s as (select * from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as s (user_id, low, high)
        ), gone as (
          delete from api_usage r using s where r.user_id = s.user_id and r.seq > s.low and r.seq <= s.high returning 1
        ), noted as (
          update usage_shipped u set pruned = s.high from s where u.user_id = s.user_id
        )
        select count(*)::int as rows from gone`,
      values: columnsOf(spans),
    });
    return rows[0].rows;
  }
}

const columnsOf = (spans: readonly Span[]): [string[], number[], number[]] => [
  spans.map(({ userId }) => userId),
  spans.map(({ low }) => low),
  spans.map(({ high }) => high),
];
