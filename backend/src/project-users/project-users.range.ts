import { limits } from '@orange-id/contract/limits';
import type { ProjectUsersFilters } from '@orange-id/contract/project.users.schema';
import { PortalError } from '../http/portal.error.js';

const dayMs = 86_400_000;
const defaultDays = 30;
/** With more days than this, a bar of the series covers a week. */
const dailyMostDays = 92;

/** UTC days, both inclusive, and how many days one bar of the series covers. */
export interface DayRange {
  from: string;
  to: string;
  bucketDays: number;
}

/** The first day (UTC) whose sign-ins are kept, if those of `months` before this month are; null if all are (0). */
export function firstKeptDay(months: number, now: number): string | null {
  const date = new Date(now);
  return months === 0 ? null : dayText(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months));
}

/**
 * The range of a query: by default the 30 days up to the last, and never before `firstKept`, where figures would be
 * incomplete. Throws `request.invalid` if it is backwards, longer than 400 days, or not kept at all.
 */
export function dayRangeOf(
  { from, to }: Pick<ProjectUsersFilters, 'from' | 'to'>,
  now: number,
  firstKept: string | null = null,
): DayRange {
  const last = to === undefined ? Math.floor(now / dayMs) * dayMs : Date.parse(to);
  const first = from === undefined ? last - (defaultDays - 1) * dayMs : Date.parse(from);
  const days = Math.round((last - first) / dayMs) + 1;
  if (days < 1) throw refuse(`must not be after to (${dayText(first)} is after ${dayText(last)})`);
  if (days > limits.usageRangeMaxDays) {
    throw refuse(
      `the range is ${days} days; the maximum is ${limits.usageRangeMaxDays}. Choose a later from or an earlier to`,
    );
  }
  const kept = Math.max(first, firstKept === null ? first : Date.parse(firstKept));
  if (kept > last) throw refuse(`sign-ins before ${firstKept} are no longer kept. Choose a later range`);
  const keptDays = Math.round((last - kept) / dayMs) + 1;
  return { from: dayText(kept), to: dayText(last), bucketDays: keptDays > dailyMostDays ? 7 : 1 };
}

/** The first day of each bar. */
export function barsOf({ from, to, bucketDays }: DayRange): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += bucketDays * dayMs) days.push(dayText(at));
  return days;
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const refuse = (problem: string): PortalError =>
  new PortalError('request.invalid', {
    message: `from: ${problem}`,
    details: [{ path: 'from', message: problem }],
  });
