import type { Project } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { change } from '../cache/change';
import { queryKeys } from '../cache/query.keys';
import { HttpError } from '../http';
import { VanishedError } from '../vanished.error';

/** The fields that name a project in a request. */
export type NamedProject = Pick<Project, 'code' | 'projectName'>;

/**
 * The project under its current name, so that a change opened before a renaming still reaches it, and never another
 * project that has the old name now.
 */
export function currentlyNamed(queryClient: QueryClient, project: NamedProject): NamedProject {
  const { code } = project;
  const listed = queryClient.getQueryData<Project[]>(queryKeys.projects)?.find((each) => each.code === code);
  return { code, projectName: listed?.projectName ?? project.projectName };
}

/**
 * Changes a project and then updates the cached list. All of it happens here, not in the view, so it completes even if
 * the user leaves the page. Throws `VanishedError` if the project or the URL no longer exists.
 */
export const changeProject = <T>(queryClient: QueryClient, work: () => Promise<T>): Promise<T> =>
  change(queryClient, [queryKeys.projects, queryKeys.projectKeys], work).catch((error: unknown) => {
    if (error instanceof HttpError && error.code === 'project.notFound') throw new VanishedError('project');
    if (error instanceof HttpError && error.code === 'project.urlNotFound') throw new VanishedError('url');
    throw error;
  });

/** Changes a project in the cached list before the list is refetched. */
export function patchProject(
  queryClient: QueryClient,
  { code }: NamedProject,
  apply: (project: Project) => Partial<Project>,
): void {
  queryClient.setQueryData<Project[]>(queryKeys.projects, (projects) =>
    projects?.map((project) => (project.code === code ? { ...project, ...apply(project) } : project)),
  );
}
