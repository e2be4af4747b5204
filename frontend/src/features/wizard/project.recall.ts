import type { QueryClient } from '@tanstack/react-query';
import { projectsQuery } from '../../api/get.projects';
import { readAccessToken } from '../../api/token.storage';
import type { ReadyProject } from './wizard.types';

/** In the address while a summary is shown: the project's id, so that a reload shows it again. */
export const createdParameter = 'created';

/** A project of the account by its id, for its summary; `null` when there is none. Throws what reading the list throws. */
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
