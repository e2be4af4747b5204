import { limits } from '@orange-id/contract/limits';
import { projectList } from '@orange-id/contract/projects.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useAuth } from '../session/auth.context';
import { http } from '../http';
import { queryKeys } from '../cache/query.keys';
import { useReadAgainWhenShown } from '../cache/useReadAgain';

/** `GET /devportal/v1/user/projects`: the user's projects, fresh for 5 min, no retry, only with a token. */
export const projectsQuery = (accessToken: string | null) =>
  queryOptions({
    queryKey: queryKeys.projects,
    queryFn: ({ signal }) => http({ path: '/devportal/v1/user/projects', schema: projectList, signal }),
    staleTime: limits.projectsFreshMs,
    retry: false,
    enabled: accessToken !== null,
  });

export const useProjects = () => useQuery(projectsQuery(useAuth().accessToken));

const projectsKeys = [queryKeys.projects];

/**
 * The projects, refetched when the view opens and whenever the page becomes visible again: for views that must be
 * current.
 */
export function useCurrentProjects() {
  useReadAgainWhenShown(projectsKeys);
  return useQuery({ ...projectsQuery(useAuth().accessToken), refetchOnMount: 'always' });
}
