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

/**
 * The range of a query: by default the 30 days up to the last. Throws `request.invalid` if it is backwards or longer
 * than 400 days.
 */
export function dayRangeOf({ from, to }: Pick<ProjectUsersFilters, 'from' | 'to'>, now: number): DayRange {
  const last = to === undefined ? Math.floor(now / dayMs) * dayMs : Date.parse(to);
  const first = from === undefined ? last - (defaultDays - 1) * dayMs : Date.parse(from);
  const days = Math.round((last - first) / dayMs) + 1;
  if (days < 1) throw refuse(`must not be after to (${dayText(first)} is after ${dayText(last)})`);
  if (days > limits.usageRangeMaxDays) {
    throw refuse(
      `the range is ${days} days; the maximum is ${limits.usageRangeMaxDays}. Choose a later from or an earlier to`,
    );
  }
  return { from: dayText(first), to: dayText(last), bucketDays: days > dailyMostDays ? 7 : 1 };
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
