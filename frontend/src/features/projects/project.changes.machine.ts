import { submissionMachine } from '../../ui/submission';
import type { DialogProject } from './dialog.errors';

/** What every change of a project is about. */
export interface ProjectSubject {
  project: DialogProject;
}

/** A URL, normalised, of a project. */
export interface ProjectUrl extends ProjectSubject {
  url: string;
}

/** Adds a blocked origin to its project's allowed URLs after confirmation. */
export const allowOriginMachine = submissionMachine<ProjectUrl, 'project' | 'url'>('allowOrigin');

/** Removes a URL from a project's allowed URLs after confirmation, unless it is the last one. */
export const removeUrlMachine = submissionMachine<ProjectUrl, 'project' | 'url' | 'last'>('removeUrl');

/** Deletes a project after confirmation; one that was already deleted elsewhere counts as deleted. */
export const deleteProjectMachine = submissionMachine<ProjectSubject, 'project'>('deleteProject');
