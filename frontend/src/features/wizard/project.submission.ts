import type { CreatedProject } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { createProject } from '../../api/projects/create.project';
import { queryKeys } from '../../api/cache/query.keys';
import { clearSource, readSource } from '../../api/session/source.storage';
import { storeSubmittedProject } from '../../api/projects/submitted.projects';
import { wizardDrafts } from './wizard.draft';
import type { NewProject } from './wizard.types';

/**
 * Creates the project, then clears the stored source and the draft, refreshes the list of projects and adds the project
 * to `submittedProjects`. All of it happens here, not in the view, so it completes even if the user leaves the page.
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
    // The project exists even if the storage is full, so the creation must not appear to have failed.
    if (!(error instanceof DOMException)) throw error;
    console.warn('submittedProjects could not be stored', error);
  }
  return created;
}
