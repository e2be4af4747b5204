import { errorOutcomes, usageMatcher } from '@orange-id/contract/usage.filter.rule';
import { otherOrigins } from '@orange-id/contract/origin.rule';
import { noOrigin, type UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { rowFilters } from '@orange-id/contract/usage.range';
import type { Outcome } from '@orange-id/contract/usage.schema';
import type { EntityManager } from 'typeorm';
import type { Figures } from './usage.figures.js';
import { isBucket, places } from './usage.places.js';
import type { TimeRange } from './usage.range.js';

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;
const dayMs = 24 * hourMs;
/** The key of the cells for all keys of an owner. */
const allKeys = 0;

/** How far the cells of an owner are, and what they may be asked about. */
export interface CellsState {
  /** Whether they hold every row that the days of keys hold. */
  isCurrent: boolean;
  /** When the cells of all these keys begin; infinite if there are none. Rows before may have been dropped earlier. */
  from: number;
  /** The keys with their own cells and those without, of the keys asked about. */
  wideKeys: number[];
  lightKeys: string[];
}

/** `keyIds` null is all keys. The cells for all keys serve an owner's only key, too. */
export async function readCellsState(
  manager: EntityManager,
  userId: string,
  keyIds: string[] | null,
): Promise<CellsState> {
  const all: { id: number; api_key_id: string; is_wide: boolean }[] =
    keyIds === null
      ? []
      : await manager.query(
          `select id, api_key_id, is_wide from usage_keys
           where user_id = $1 and (api_key_id = any($2) or id = (
             select id from usage_keys where user_id = $1 and api_key_id <> all($2) limit 1
           ))`,
          [userId, keyIds],
        );
  const keys = all.filter(({ api_key_id }) => keyIds?.includes(api_key_id));
  const isAll = keyIds === null || (keys.length > 0 && keys.length === all.length);
  const wideKeys = isAll ? [allKeys] : keys.filter((key) => key.is_wide).map(({ id }) => id);
  const [state]: { isCurrent: boolean; from: string | null }[] = await manager.query(
    `select coalesce(w.owner_cells_seq >= w.key_days_seq, true) as "isCurrent", (
         select max(first) from unnest($2::int[]) as wide cross join lateral (
           select min(hour) as first from usage_owner_cells where user_id = $1 and key = wide and part = 1
         ) cells
       )::bigint * ${hourMs} as from
     from (values (1)) as one left join usage_watermarks w on w.user_id = $1`,
    [userId, wideKeys],
  );
  return {
    isCurrent: state?.isCurrent ?? true,
    from: state?.from == null ? Infinity : Number(state.from),
    wideKeys,
    lightKeys: isAll ? [] : keys.filter((key) => !key.is_wide).map(({ api_key_id }) => api_key_id),
  };
}

interface Kind {
  id: number;
  endpoint: string;
  method: string;
  statusCode: number;
  outcome: Outcome;
}

/** Adds cells to figures: those of some keys in a range of whole hours that match the filters. */
export class CellsReader {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
    private readonly keys: readonly number[],
    private readonly hours: TimeRange,
  ) {}

  /** The calls of the range, whatever the filters. */
  async volume(): Promise<number> {
    const found: { calls: string }[] = await this.query('coalesce(sum(calls), 0) as calls', {}, byKind, '');
    return Number(found[0]?.calls ?? 0);
  }

  /** Adds everything that `filters` other than keys and times select, without origins if `originsToo` is false. */
  async read(filters: UsageFilters, figures: Figures, originsToo: boolean): Promise<void> {
    const kinds = await this.kinds(filters);
    const wanted = {
      kinds: isByKind(filters) ? [...kinds.keys()] : null,
      origins: filters.origin === undefined ? null : await this.originIds(filters.origin),
    };
    await this.readTimes(wanted, kinds, figures);
    await this.readLists(wanted, figures, originsToo);
  }

  /** The response times, keys and origins: one pass over the lists, unless other cells have the origins. */
  private async readLists(wanted: Wanted, figures: Figures, originsToo: boolean): Promise<void> {
    const isForAll = this.keys.includes(allKeys);
    const withOrigins = originsToo && !wanted.origins;
    const wantedPlaces = [
      isBucket('l.place'),
      ...(isForAll ? [`l.place >= ${places.key}`] : []),
      ...(withOrigins ? [`l.place <= ${places.origin}`] : []),
    ];
    const parts = partsOf(wanted);
    const rows: { place: number; calls: string }[] = await this.query(
      'l.place, sum(l.calls) as calls',
      wanted,
      parts,
      `${listed(wantedPlaces.join(' or '))} group by 1`,
    );
    const [keys, origins] = [new Map<number, number>(), new Map<number, number>()];
    for (const { place, calls } of rows) {
      if (place >= places.key) keys.set(place - places.key, Number(calls));
      else if (place <= places.origin) origins.set(places.origin - place, Number(calls));
      else figures.addLatency(place, Number(calls));
    }
    if (!isForAll) {
      const sums: { id: number; calls: string }[] = await this.query(
        'c.key as id, sum(c.calls) as calls',
        wanted,
        parts,
        'group by 1',
      );
      for (const { id, calls } of sums) keys.set(id, Number(calls));
    }
    if (originsToo && wanted.origins) {
      const sums: { id: number; calls: string }[] = await this.query(
        `${places.origin} - l.place as id, sum(l.calls) as calls`,
        { kinds: wanted.kinds ?? null },
        byKind,
        `${atPlaces(wanted.origins.map((origin) => places.origin - origin))} group by 1`,
      );
      for (const { id, calls } of sums) origins.set(id, Number(calls));
    }
    await this.addKeys(keys, figures);
    await this.addOrigins(origins, figures);
  }

  /** The kinds that match, by their numbers. */
  private async kinds({ endpoint, method, status, errorCode }: UsageFilters): Promise<Map<number, Kind>> {
    const given = Object.entries({ endpoint, method, status, errorCode }).filter(
      ([, value]) => value !== undefined,
    );
    const matches = usageMatcher(Object.fromEntries(given));
    const rows: (Kind & { errorCode: string })[] = await this.manager.query(
      `select id, endpoint, method, status_code as "statusCode", outcome, error_code as "errorCode" from usage_kinds`,
    );
    const unasked = { seq: 0, keyId: '', projectId: null, responseTime: 0, timestamp: epoch, origin: null };
    return new Map(rows.filter((kind) => matches({ ...unasked, ...kind })).map((kind) => [kind.id, kind]));
  }

  private async originIds(origin: string): Promise<number[]> {
    const found: { id: number }[] = await this.manager.query(
      'select id from usage_origins where user_id = $1 and origin = $2',
      [this.userId, origin],
    );
    return [...found.map(({ id }) => id), ...(origin === noOrigin ? [0] : [])];
  }

  /** The chart, the totals and what is counted by kind. */
  private async readTimes(wanted: Wanted, kinds: Map<number, Kind>, figures: Figures): Promise<void> {
    const { stepMs } = figures;
    const isByQuarter = stepMs < hourMs;
    const at = isByQuarter
      ? `c.hour::bigint * ${hourMs} + (l.place - ${places.quarter}) * ${quarterMs}`
      : `c.hour::bigint * ${hourMs}`;
    const [calls, list] = isByQuarter
      ? ['l.calls', atPlaces([0, 1, 2, 3].map((quarter) => places.quarter + quarter))]
      : wanted.origins
        ? ['l.calls', atPlaces(wanted.origins.map((origin) => places.origin - origin))]
        : ['c.calls', ''];
    const rows: { at: string; kind: number; calls: string }[] = await this.query(
      `(${at}) / ${stepMs} * ${stepMs} as at, c.kind, sum(${calls}) as calls`,
      { kinds: wanted.kinds },
      { hour: byKind.hour, day: null },
      `${list} group by 1, 2`,
    );
    for (const { at, kind: id, calls: text } of rows) {
      const [kind, calls] = [kinds.get(id) as Kind, Number(text)];
      const errors = errorOutcomes.includes(kind.outcome) ? calls : 0;
      figures.addTime(Number(at), {
        calls,
        errors,
        serverErrors: kind.statusCode >= 500 ? errors : 0,
        blocked: kind.outcome === 'blocked' ? calls : 0,
      });
      figures.addKind(kind, calls);
    }
  }

  private async addKeys(calls: Map<number, number>, figures: Figures): Promise<void> {
    const names: { id: number; api_key_id: string }[] = await this.manager.query(
      'select id, api_key_id from usage_keys where user_id = $1 and id = any($2)',
      [this.userId, [...calls.keys()]],
    );
    for (const { id, api_key_id: keyId } of names) figures.addKey(keyId, calls.get(id) as number);
  }

  private async addOrigins(calls: Map<number, number>, figures: Figures): Promise<void> {
    const names: { id: number; origin: string }[] = await this.manager.query(
      'select id, origin from usage_origins where user_id = $1 and id = any($2)',
      [this.userId, [...calls.keys()]],
    );
    for (const { id, origin } of names) figures.addOrigin(origin, calls.get(id) as number);
    for (const [id, name] of [
      [0, null],
      [1, otherOrigins],
    ] as const) {
      const unnamed = calls.get(id);
      if (unnamed !== undefined) figures.addOrigin(name, unnamed);
    }
  }

  /** Selects from the cells of whole days and of the hours beside them. */
  private query<T>(columns: string, { kinds, origins }: Wanted, parts: Parts, rest: string): Promise<T[]> {
    const { hours, days } = daysAndHours(this.hours, parts.day !== null);
    const pieces = [
      ...(parts.hour === null ? [] : hours.map((range) => ({ part: parts.hour, ...range }))),
      ...(days === null ? [] : [{ part: parts.day, ...days }]),
    ];
    if (pieces.length === 0) return Promise.resolve([]);
    const values: unknown[] = [this.userId, this.keys];
    const conditions = ['c.user_id = $1', 'c.key = any($2::int[])', 'c.part = p.part'];
    if (kinds) conditions.push(`c.kind = any($${values.push(kinds)}::int[])`);
    if (origins) conditions.push(`c.origin = any($${values.push(origins)}::int[])`);
    return this.manager.query(
      `select ${columns}
       from (values ${pieces.map(({ part, from, to }) => `(${part}, ${hourOf(from)}, ${hourOf(to)})`).join(', ')})
         as p (part, low, high)
       cross join lateral (
         select * from usage_owner_cells c where ${conditions.join(' and ')} and c.hour >= p.low and c.hour < p.high
         offset 0
       ) c ${rest}`,
      values,
    );
  }
}

/** The whole UTC days of a range of hours, or null, and the hours beside them. */
export function daysAndHours(
  { from, to }: TimeRange,
  hasDays = true,
): { days: TimeRange | null; hours: TimeRange[] } {
  const days = { from: Math.ceil(from / dayMs) * dayMs, to: Math.floor(to / dayMs) * dayMs };
  if (!hasDays || days.from >= days.to) return { days: null, hours: [{ from, to }] };
  const hours = [
    { from, to: days.from },
    { from: days.to, to },
  ];
  return { days, hours: hours.filter((range) => range.from < range.to) };
}

interface Wanted {
  /** Numbers of kinds and origins; null or missing for all. */
  kinds?: number[] | null;
  origins?: number[] | null;
}

/** The parts of `usage_owner_cells` to read; null for none. */
interface Parts {
  hour: number | null;
  day: number | null;
}
const byKind: Parts = { hour: 1, day: 2 };

/** Where the latency and the keys are. No hour has them by kind and origin: those are read from the rows. */
const partsOf = ({ kinds, origins }: Wanted): Parts =>
  origins ? { hour: kinds ? null : 3, day: 4 } : byKind;

/** The places that match `condition`, with the calls at each. */
const listed = (condition: string): string =>
  `cross join lateral (select * from unnest(c.places, c.counts) as l (place, calls) where ${condition} offset 0) l`;

/** A few places, with the calls at each: finding them costs a fraction of listing all. */
const atPlaces = (few: readonly number[]): string =>
  `cross join lateral (
     select * from (
       select place, c.counts[array_position(c.places, place)] as calls from unnest('{${few.join(',')}}'::int[]) as place
       offset 0
     ) found where calls is not null
   ) l`;

const epoch = new Date(0).toISOString();
const lastHour = 2 ** 31 - 1;
const hourOf = (ms: number | undefined): number => Math.min(lastHour, (ms as number) / hourMs);

/** Whether hours of cells lack the latency and the keys of the calls that match. */
export const needsRowsOfHours = (filters: UsageFilters): boolean =>
  filters.origin !== undefined && isByKind(filters);

const isByKind = (filters: UsageFilters): boolean =>
  rowFilters.some((name) => name !== 'origin' && filters[name] !== undefined);
