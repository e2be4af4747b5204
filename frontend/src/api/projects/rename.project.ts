import { renamedProject } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';
import { changeProject, patchProject, type NamedProject } from './change.project';
import { renameSubmittedProject } from './submitted.projects';

/**
 * `PATCH /api/projects/:code`: renames the project, also in the list of those created in this browser. Throws
 * `VanishedError` if the project no longer exists, otherwise what `http` throws.
 */
export const renameProject = (
  queryClient: QueryClient,
  { project, name }: { project: NamedProject; name: string },
): Promise<void> =>
  changeProject(queryClient, async () => {
    const { projectName } = await http({
      path: `/api/projects/${encodeURIComponent(project.code)}`,
      method: 'PATCH',
      body: { projectName: name },
      schema: renamedProject,
    });
    patchProject(queryClient, project, () => ({ projectName }));
    renameSubmittedProject(project.code, projectName);
    void queryClient.invalidateQueries({ queryKey: queryKeys.usageKeys });
  });
