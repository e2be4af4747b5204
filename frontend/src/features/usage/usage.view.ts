import { limits } from '@orange-id/contract/limits';
import { usageMatcher } from '@orange-id/contract/usage.filter.rule';
import { usageFilters, type UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { rollupsFromMs, rowFilters, usageRanges, type UsageRange } from '@orange-id/contract/usage.range';
import type { UsageRow } from '@orange-id/contract/usage.schema';

/** A fixed time range; ISO 8601, `from` inclusive, `to` exclusive. */
export interface FixedRange {
  from: string;
  to: string;
}

/** The page's filters besides its range. */
export type ViewFilters = Omit<UsageFilters, 'from' | 'to'>;

/**
 * What the page shows: a range that ends now or a fixed one, and the filters shared by chart, totals, calls and export.
 */
export interface UsageView extends ViewFilters {
  range: UsageRange | FixedRange;
}

/** The content of the page's URL. */
export interface UsageAddress {
  view: UsageView;
  /** Whether the figures are compared with those of the previous period. */
  isCompared: boolean;
  /** The call whose detail is open, by its `seq`. */
  call: number | null;
  /** The parts of the URL that could not be read; the rest applies without them. */
  problems: AddressProblem[];
}

export interface AddressProblem {
  /** The name of a query parameter, or `custom range` for `from` and `to` together. */
  name: string;
  value: string;
  /** The reason, which follows the value in a sentence: `must be …`. */
  why: string;
}

export const defaultRange: UsageRange = '24h';
const filterNames = ['projectId', 'keyId', 'endpoint', 'method', 'status', 'errorCode', 'origin'] as const;
const knownNames: readonly string[] = [...filterNames, 'range', 'from', 'to', 'compare', 'call'];

export const isRolling = (range: UsageView['range']): range is UsageRange => typeof range === 'string';

const isUsageRange = (text: string): text is UsageRange => Object.hasOwn(usageRanges, text);
const dayMs = 86_400_000;

/** What is wrong with a range (ms since the epoch), or `null`. */
export function rangeProblem(from: number, to: number): string | null {
  if (Number.isNaN(from) || Number.isNaN(to)) return 'needs a valid start and end.';
  if (from >= to) return 'must end after it starts.';
  if (to - from > limits.usageRangeMaxDays * dayMs)
    return `must span at most ${limits.usageRangeMaxDays} days.`;
  return null;
}

/** The local day of this time (ms since the epoch), as the page shows local times. */
export function dayOf(at: number): FixedRange {
  const [from, to] = [new Date(at), new Date(at)];
  from.setHours(0, 0, 0, 0);
  to.setHours(24, 0, 0, 0);
  return { from: from.toISOString(), to: to.toISOString() };
}

/** Reads the URL; a part that cannot be read is listed as a problem and ignored. */
export function readAddress(query: URLSearchParams): UsageAddress {
  const problems: AddressProblem[] = [];
  const refuse = (name: string, value: string, why: string) => void problems.push({ name, value, why });
  const read = (name: string): string | null => {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length > 1) refuse(name, values.join(', '), 'appears more than once.');
    return values.length === 1 ? (values[0] as string) : null;
  };

  for (const name of new Set(query.keys()))
    if (!knownNames.includes(name)) refuse(name, query.get(name) ?? '', 'isn’t a filter on this page.');

  const view: UsageView = { range: readRange(read, refuse) };
  for (const name of filterNames) {
    const value = read(name);
    if (value === null) continue;
    const parsed = usageFilters.shape[name].safeParse(value);
    if (parsed.success) view[name] = value;
    else refuse(name, value, `${parsed.error.issues[0]?.message}.`);
  }
  const compare = read('compare');
  if (compare !== null && compare !== 'off')
    refuse('compare', compare, 'isn’t valid: use “off” or remove it.');
  const call = read('call');
  const seq = call !== null && /^[1-9]\d{0,14}$/.test(call) ? Number(call) : null;
  if (call !== null && seq === null) refuse('call', call, 'must be a call number.');
  return { view, isCompared: compare !== 'off', call: seq, problems };
}

function readRange(
  read: (name: string) => string | null,
  refuse: (name: string, value: string, why: string) => void,
): UsageView['range'] {
  const [from, to, range] = [read('from'), read('to'), read('range')];
  if (from !== null || to !== null) {
    const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
    const problem = rangeProblem(start, end);
    if (problem === null) return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
    refuse('custom range', `${from ?? ''} – ${to ?? ''}`, problem);
  }
  if (range === null) return defaultRange;
  if (isUsageRange(range)) return range;
  refuse('range', range, `must be one of ${Object.keys(usageRanges).join(', ')}.`);
  return defaultRange;
}

/** Writes what `readAddress` reads; omits the default range, empty filters and the default comparison. */
export function writeAddress({ view, isCompared, call }: Omit<UsageAddress, 'problems'>): URLSearchParams {
  const query = new URLSearchParams();
  if (!isRolling(view.range)) {
    query.set('from', view.range.from);
    query.set('to', view.range.to);
  } else if (view.range !== defaultRange) query.set('range', view.range);
  for (const name of filterNames) if (view[name]) query.set(name, view[name]);
  if (!isCompared) query.set('compare', 'off');
  if (call !== null) query.set('call', String(call));
  return query;
}

/** The view's start and, for a fixed range, its end; ms since the epoch. */
export function boundsOf({ range }: UsageView, now: number): { from: number; to: number | null } {
  if (isRolling(range)) return { from: now - usageRanges[range], to: null };
  return { from: Date.parse(range.from), to: Date.parse(range.to) };
}

const span = (from: number, to: number | null) => ({
  from: new Date(from).toISOString(),
  ...(to === null ? {} : { to: new Date(to).toISOString() }),
});

/** The filters to send for this view at this time (ms since the epoch); empty ones are omitted. */
export function filtersOf(view: UsageView, now: number): UsageFilters {
  const { from, to } = boundsOf(view, now);
  const given = filterNames.flatMap((name) => (view[name] ? [[name, view[name]]] : []));
  return { ...span(from, to), ...(Object.fromEntries(given) as ViewFilters) };
}

/** The same filters for the period of equal length just before, to compare with. */
export function previousFiltersOf(view: UsageView, now: number): UsageFilters {
  const { from, to } = boundsOf(view, now);
  return { ...filtersOf(view, now), ...span(from - ((to ?? now) - from), from) };
}

/** The rows that belong to the view at this time, by the rule that the server filters with. */
export const rowsInView = (rows: readonly UsageRow[], view: UsageView, now: number): UsageRow[] =>
  rows.filter(usageMatcher(filtersOf(view, now)));

export const countFilters = (view: UsageView): number => filterNames.filter((name) => view[name]).length;

export const hasFilters = (view: UsageView): boolean => countFilters(view) > 0;

/** Whether the range is long and a filter requires its figures to be read from rows, not from hourly and daily sums. */
export function isReadFromRows(view: UsageView): boolean {
  const { from, to } = boundsOf(view, 0);
  return (to ?? 0) - from >= rollupsFromMs && rowFilters.some((name) => view[name]);
}

/** Removes every filter. */
export const noFilters = Object.fromEntries(filterNames.map((name) => [name, ''])) as Record<
  keyof ViewFilters,
  ''
>;
