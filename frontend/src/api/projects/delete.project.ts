import type { Project } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';
import { isVanished } from '../vanished.error';
import { changeProject, type NamedProject } from './change.project';
import { removeSubmittedProject } from './submitted.projects';

/**
 * `DELETE /api/projects/:code`: deletes the project with its whitelist and key; one that no longer exists counts as
 * deleted. A hosted service (`isEmbedded` is false) keeps the project; only the entry in this browser is deleted.
 * Throws what `http` throws.
 */
export async function deleteProject(
  queryClient: QueryClient,
  { code }: NamedProject,
  isEmbedded: boolean,
): Promise<void> {
  if (isEmbedded) {
    await changeProject(queryClient, () =>
      http<void>({ path: `/api/projects/${encodeURIComponent(code)}`, method: 'DELETE' }),
    ).catch((error: unknown) => {
      if (!isVanished(error)) throw error;
    });
    queryClient.setQueryData<Project[]>(queryKeys.projects, (projects) =>
      projects?.filter((project) => project.code !== code),
    );
  }
  removeSubmittedProject(code);
}
