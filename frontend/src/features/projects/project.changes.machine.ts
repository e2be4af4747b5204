import { submissionMachine } from '../../ui/submission';
import type { DialogProject } from './dialog.errors';

/** The subject of every change of a project. */
export interface ProjectSubject {
  project: DialogProject;
}

/** A project and a URL, normalised, to add to it or remove from it. */
export interface ProjectUrl extends ProjectSubject {
  url: string;
}

/** A project and the name it gets. */
export interface ProjectName extends ProjectSubject {
  name: string;
}

/** Renames a project. */
export const renameProjectMachine = submissionMachine<ProjectName, 'project'>('renameProject');

/** Adds a blocked origin to its project's allowed URLs after confirmation. */
export const allowOriginMachine = submissionMachine<ProjectUrl, 'project' | 'url'>('allowOrigin');

/** Removes a URL from a project's allowed URLs after confirmation, unless it is the last one. */
export const removeUrlMachine = submissionMachine<ProjectUrl, 'project' | 'url' | 'last'>('removeUrl');

/** Deletes a project after confirmation; one that was already deleted elsewhere counts as deleted. */
export const deleteProjectMachine = submissionMachine<ProjectSubject, 'project'>('deleteProject');
