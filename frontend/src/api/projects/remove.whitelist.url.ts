import { removedWhitelistUrl } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { http } from '../http';
import { VanishedError } from '../vanished.error';
import { changeProject, currentlyNamed, patchProject, type NamedProject } from './change.project';

/**
 * `DELETE /devportal/v1/project/whitelist`: removes one URL from a project. Throws `VanishedError` if the project or the
 * URL no longer exists, otherwise what `http` throws.
 */
export const removeWhitelistUrl = (
  queryClient: QueryClient,
  { project, url }: { project: NamedProject; url: string },
): Promise<void> =>
  changeProject(queryClient, async () => {
    const { success, deleted } = await http({
      path: '/devportal/v1/project/whitelist',
      method: 'DELETE',
      body: { ...currentlyNamed(queryClient, project), url },
      schema: removedWhitelistUrl,
    });
    if (!success)
      throw new Error(
        'The server rejected the change without giving a reason. Reload the page and try again',
      );
    patchProject(queryClient, project, ({ urls }) => ({ urls: urls.filter((other) => other !== url) }));
    if (deleted === 0) throw new VanishedError('url');
  });
