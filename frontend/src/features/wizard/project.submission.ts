import type { CreatedProject } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { createProject } from '../../api/create.project';
import { queryKeys } from '../../api/query.keys';
import { clearSource, readSource } from '../../api/source.storage';
import { storeSubmittedProject } from '../../api/submitted.projects';
import { wizardDrafts } from './wizard.draft';
import type { NewProject } from './wizard.types';

/**
 * Creates the project and does what follows from it: the remembered source is cleared, the project is noted
 * in `submittedProjects`, the list is refreshed. All of it here, so that leaving the page meanwhile loses nothing.
 */
export async function submitProject(
  project: NewProject,
  { userId, queryClient }: { userId: string; queryClient: QueryClient },
): Promise<CreatedProject> {
  const created = await createProject({ ...project, source: readSource() });
  clearSource();
  wizardDrafts.clear(userId);
  void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
  try {
    storeSubmittedProject({
      id: created.projectId,
      name: project.projectName,
      submittedAt: new Date().toISOString(),
      whitelistedUrls: project.urls,
      integrationMethod: 'undecided',
      status: 'created',
    });
  } catch (error) {
    // A full storage must not make a created project look failed.
    if (!(error instanceof DOMException)) throw error;
    console.warn('submittedProjects could not be stored', error);
  }
  return created;
}
