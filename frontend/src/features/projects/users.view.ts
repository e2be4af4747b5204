import { projectUsersFilters, type ProjectUsersFilters } from '@orange-id/contract/project.users.schema';

/** The ranges that the section offers, in days up to today (UTC). */
export const userRanges = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const;
export type UserRange = keyof typeof userRanges;

export const userFilters = ['method', 'platform', 'region'] as const;
type UserFilter = (typeof userFilters)[number];

/** What the section shows: a range and the filters that figures, list and export share. */
export interface UsersView extends Pick<ProjectUsersFilters, UserFilter> {
  range: UserRange;
}

const defaultRange: UserRange = '30d';
const dayMs = 86_400_000;

/** Reads the address; what cannot be read is ignored. */
export function readUsersView(query: URLSearchParams): UsersView {
  const range = query.get('users') ?? '';
  const view: UsersView = { range: Object.hasOwn(userRanges, range) ? (range as UserRange) : defaultRange };
  const given = Object.fromEntries(
    userFilters.flatMap((name) => {
      const value = projectUsersFilters.shape[name].safeParse(query.get(name) ?? undefined);
      return value.success && value.data !== undefined ? [[name, value.data]] : [];
    }),
  );
  return { ...view, ...given };
}

/** The address with this view; other parts of it stay. */
export function writeUsersView(query: URLSearchParams, view: UsersView): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete('users');
  if (view.range !== defaultRange) next.set('users', view.range);
  for (const name of userFilters) {
    next.delete(name);
    const value = view[name];
    if (value) next.set(name, value);
  }
  return next;
}

/** The filters to send for a view at this time. */
export function usersFiltersOf({ range, ...filters }: UsersView, now: number): ProjectUsersFilters {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(now - (userRanges[range] - 1) * dayMs), to: day(now), ...filters };
}
