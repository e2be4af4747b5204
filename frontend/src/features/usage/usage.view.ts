import { usageRanges, type UsageRange } from '@orange-id/contract/usage.range';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { UsageRow } from '@orange-id/contract/usage.schema';

/** A stretch of time that stays where it is; ISO 8601, `from` inclusive, `to` exclusive. */
export interface FixedRange {
  from: string;
  to: string;
}

/** What the page shows: a range up to now or a fixed one, and the filters that chart, totals and calls share. */
export interface UsageView {
  range: UsageRange | FixedRange;
  projectId?: string;
  endpoint?: string;
  /** A status such as `404` or a class such as `4xx`. */
  status?: string;
}

export const defaultRange: UsageRange = '24h';

export const isRolling = (range: UsageView['range']): range is UsageRange => typeof range === 'string';

const isUsageRange = (text: string | null): text is UsageRange =>
  text !== null && Object.hasOwn(usageRanges, text);

function readRange(query: URLSearchParams): UsageView['range'] {
  const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
  if (from < to) return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const range = query.get('range');
  return isUsageRange(range) ? range : defaultRange;
}

/** Reads the view from the address; what cannot be understood counts as not given. */
export function readView(query: URLSearchParams): UsageView {
  const view: UsageView = { range: readRange(query) };
  const status = query.get('status');
  if (status !== null && /^[1-5](xx|\d\d)$/.test(status)) view.status = status;
  for (const field of ['projectId', 'endpoint'] as const) {
    const value = query.get(field);
    if (value) view[field] = value;
  }
  return view;
}

/** Writes the view into an address; the default range and empty filters are left out. */
export function writeView(view: UsageView): URLSearchParams {
  const query = new URLSearchParams();
  if (!isRolling(view.range)) {
    query.set('from', view.range.from);
    query.set('to', view.range.to);
  } else if (view.range !== defaultRange) query.set('range', view.range);
  for (const field of ['projectId', 'endpoint', 'status'] as const)
    if (view[field]) query.set(field, view[field]);
  return query;
}

/** Where the view begins and, if it does, ends; ms since the epoch. */
export function boundsOf({ range }: UsageView, now: number): { from: number; to: number | null } {
  if (isRolling(range)) return { from: now - usageRanges[range], to: null };
  return { from: Date.parse(range.from), to: Date.parse(range.to) };
}

/** The filters to send for this view at this moment (ms since the epoch). */
export function filtersOf(view: UsageView, now: number): UsageFilters {
  const { from, to } = boundsOf(view, now);
  const { projectId, endpoint, status } = view;
  return {
    from: new Date(from).toISOString(),
    ...(to === null ? {} : { to: new Date(to).toISOString() }),
    ...(projectId ? { projectId } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(status ? { status } : {}),
  };
}

/** The same filters for the stretch of equal length just before, to compare with. */
export function previousFiltersOf(view: UsageView, now: number): UsageFilters {
  const { from, to } = boundsOf(view, now);
  const length = (to ?? now) - from;
  return {
    ...filtersOf(view, now),
    from: new Date(from - length).toISOString(),
    to: new Date(from).toISOString(),
  };
}

const hasStatus = (code: number, wanted: string) =>
  wanted.endsWith('xx') ? Math.floor(code / 100) === Number(wanted[0]) : code === Number(wanted);

/** Whether a call belongs to the view at this moment, by the rule the server filters with. */
export function isInView(row: UsageRow, view: UsageView, now: number): boolean {
  const at = Date.parse(row.timestamp);
  const { from, to } = boundsOf(view, now);
  return (
    at >= from &&
    (to === null || at < to) &&
    (!view.projectId || row.projectId === view.projectId) &&
    (!view.endpoint || row.endpoint === view.endpoint) &&
    (!view.status || hasStatus(row.statusCode, view.status))
  );
}

export const hasFilters = ({ projectId, endpoint, status }: UsageView) =>
  Boolean(projectId || endpoint || status);
