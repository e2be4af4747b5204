import type { Project } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { addWhitelistUrls } from '../../api/projects/add.whitelist.urls';
import { change } from '../../api/cache/change';
import { deleteProject } from '../../api/projects/delete.project';
import { generateKey } from '../../api/keys/generate.key';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/cache/query.keys';
import { removeWhitelistUrl } from '../../api/projects/remove.whitelist.url';
import { removeSubmittedProject } from '../../api/projects/submitted.projects';
import { isVanished, VanishedError } from '../../ui/submission';
import type { UrlAddition } from './add.urls.types';
import type { DialogProject } from './dialog.errors';
import type { ProjectUrl } from './project.changes.machine';

/**
 * Changes a project and then updates the cached list. All of it happens here, not in the view, so it completes even if
 * the user leaves the page. Throws `VanishedError` if the project or the URL no longer exists.
 */
const changeProject = <T>(queryClient: QueryClient, work: () => Promise<T>): Promise<T> =>
  change(queryClient, [queryKeys.projects], work).catch((error: unknown) => {
    if (error instanceof HttpError && error.code === 'project.notFound') throw new VanishedError('project');
    if (error instanceof HttpError && error.code === 'project.urlNotFound') throw new VanishedError('url');
    throw error;
  });

/** Changes a project in the cached list before the list is refetched. */
function patch(queryClient: QueryClient, code: string, apply: (project: Project) => Partial<Project>): void {
  queryClient.setQueryData<Project[]>(queryKeys.projects, (projects) =>
    projects?.map((project) => (project.code === code ? { ...project, ...apply(project) } : project)),
  );
}

export const rotateKey = (queryClient: QueryClient, { code, projectName }: DialogProject): Promise<string> =>
  changeProject(queryClient, async () => {
    const apiKey = await generateKey(projectName);
    if (apiKey !== '') patch(queryClient, code, () => ({ apiKey }));
    return apiKey;
  });

export const saveUrls = (
  queryClient: QueryClient,
  { project, urls, userId }: UrlAddition & { userId: string | null },
): Promise<void> =>
  changeProject(queryClient, async () => {
    const whitelist = await addWhitelistUrls({ ...project, urls, userId });
    patch(queryClient, project.code, () => ({ urls: whitelist }));
  });

export const removeUrl = (queryClient: QueryClient, { project, url }: ProjectUrl): Promise<void> =>
  changeProject(queryClient, async () => {
    const { success, deleted } = await removeWhitelistUrl({ ...project, url });
    if (!success)
      throw new Error(
        'The server rejected the change without giving a reason. Reload the page and try again',
      );
    patch(queryClient, project.code, ({ urls }) => ({ urls: urls.filter((other) => other !== url) }));
    if (deleted === 0) throw new VanishedError('url');
  });

/** `isEmbedded`: deletes the project itself. A remote service keeps it; only the entry in this browser is deleted. */
export async function removeProject(
  queryClient: QueryClient,
  { code }: DialogProject,
  isEmbedded: boolean,
): Promise<void> {
  if (isEmbedded) {
    await changeProject(queryClient, () => deleteProject(code)).catch((error: unknown) => {
      if (!isVanished(error)) throw error;
    });
    queryClient.setQueryData<Project[]>(queryKeys.projects, (projects) =>
      projects?.filter((project) => project.code !== code),
    );
  }
  removeSubmittedProject(code);
}
