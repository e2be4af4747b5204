import {
  projectUsers,
  projectUsersMetrics,
  type ProjectUsersFilters,
} from '@orange-id/contract/project.users.schema';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';
import { useLive } from '../usage/live.context';
import { pollMs } from '../usage/live.metrics';
import { useProjectNews } from './useProjectNews';

/** The address of a part of a project's users, with the filters that are set. */
export function usersAddress(
  code: string,
  part: string,
  filters: ProjectUsersFilters,
  cursor?: string | null,
) {
  const set = Object.entries({ ...filters, cursor }).filter(([, value]) => value) as [string, string][];
  return `/api/projects/${encodeURIComponent(code)}/users${part}?${new URLSearchParams(set)}`;
}

/** What a view of the users shows. */
export interface ShownUsers {
  /** The cache key; changes whenever the filters change for a reason other than time. */
  view: object;
  /** The filters at a time in ms since the epoch. */
  filtersAt: (now: number) => ProjectUsersFilters;
}

/** While the live connection is down, the page polls. */
const useInterval = () => (useLive().status === 'live' ? false : pollMs);

/** `GET /api/projects/:code/users/metrics`; refetched within a second of a sign-in. */
export function useProjectUserMetrics(code: string, { view, filtersAt }: ShownUsers) {
  const queryKey = [...queryKeys.projectUserMetrics, code, view];
  useProjectNews(code, ['signedIn'], queryKey);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      http({
        path: usersAddress(code, '/metrics', filtersAt(Date.now())),
        schema: projectUsersMetrics,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: useInterval(),
    retry: false,
  });
}

/**
 * `GET /api/projects/:code/users`, page by page, the latest sign-in first; refetched within a second of a sign-in, and of
 * a change of what somebody lets the app see.
 */
export function useProjectUsers(code: string, { view, filtersAt }: ShownUsers) {
  const queryKey = [...queryKeys.projectUsers, code, view];
  useProjectNews(code, ['signedIn', 'consented'], queryKey);
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      http({ path: usersAddress(code, '', filtersAt(Date.now()), pageParam), schema: projectUsers, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: useInterval(),
    retry: false,
  });
}

/** `GET /api/projects/:code/users/export`: the CSV of everybody who matches. */
export const exportUsers = (code: string, filters: ProjectUsersFilters): Promise<string> =>
  http({ path: usersAddress(code, '/export', filters), timeoutMs: 300_000 }) as Promise<string>;
