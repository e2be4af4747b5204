import { useMemo } from 'react';
import { useSavedKeys } from './saved.keys';
import { useProjects } from '../projects/get.projects';

/** A key that the signed-in user can call with. */
export interface CallKey {
  id: string;
  /** Its id in Usage; `null` for a project's, which only the project's own list names. */
  usageId: string | null;
  name: string;
  key: string;
  group: 'saved' | 'project';
  /** Whether it is the old key of a rotation. */
  isReplaced: boolean;
}

/**
 * The user's working keys: the saved ones, newest first, then those of the projects. `isPending` until there is a key to
 * choose, or there can be none.
 */
export function useCallKeys() {
  const saved = useSavedKeys();
  const projects = useProjects();
  const keys = useMemo(
    (): CallKey[] => [
      ...(saved.data ?? []).map(({ id, name, key, replacedAt }) => ({
        id,
        name,
        key,
        usageId: id,
        group: 'saved' as const,
        isReplaced: replacedAt !== null,
      })),
      ...(projects.data ?? []).map(({ code, projectName, apiKey }) => ({
        id: `project ${code}`,
        name: projectName,
        key: apiKey,
        usageId: null,
        group: 'project' as const,
        isReplaced: false,
      })),
    ],
    [saved.data, projects.data],
  );
  return {
    keys,
    isPending: saved.isPending || (keys.length === 0 && projects.isPending),
    isFetching: saved.isFetching || projects.isFetching,
    error: saved.error ?? projects.error,
    refetch: () => Promise.all([saved.refetch(), projects.refetch()]),
  };
}
