import { submissionMachine } from '../../ui/submission';
import type { DialogProject } from './dialog.errors';

/** A URL, normalised, of a project. */
export interface ProjectUrl {
  project: DialogProject;
  url: string;
}

/** Adds a blocked origin to its project's allowed URLs after confirmation. */
export const allowOriginMachine = submissionMachine<ProjectUrl, 'project' | 'url'>('allowOrigin');

/** Removes a URL from a project's allowed URLs after confirmation, unless it is the last one. */
export const removeUrlMachine = submissionMachine<ProjectUrl, 'project' | 'url' | 'last'>('removeUrl');

/** Deletes a project after confirmation; one that was already deleted elsewhere counts as deleted. */
export const deleteProjectMachine = submissionMachine<DialogProject, 'project'>('deleteProject');
