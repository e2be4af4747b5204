import type { QueryClient } from '@tanstack/react-query';
import { projectsQuery } from '../../api/projects/get.projects';
import { readAccessToken } from '../../api/token.storage';
import type { ReadyProject } from './wizard.types';

/** Query parameter with the project's ID while its summary is shown, so that a reload shows it again. */
export const createdParameter = 'created';

/** Finds the user's project by its ID, for its summary; `null` if there is none. Throws what fetching the list throws. */
export async function recallProject(
  projectId: string,
  queryClient: QueryClient,
): Promise<ReadyProject | null> {
  const projects = await queryClient.fetchQuery(projectsQuery(readAccessToken()));
  const found = projects.find(({ code }) => code === projectId);
  if (!found) return null;
  const { projectName, urls, apiKey } = found;
  return { projectName, urls, projectId, apiKey };
}
