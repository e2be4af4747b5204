import type { Project } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { addWhitelistUrls } from '../../api/projects/add.whitelist.urls';
import { deleteProject } from '../../api/projects/delete.project';
import { removeWhitelistUrl } from '../../api/projects/remove.whitelist.url';
import { renameProject } from '../../api/projects/rename.project';
import { OriginText } from '../../ui/OriginText';
import { projectNameSentences } from '../../ui/project.name.text';
import type { SubmissionMachine } from '../../ui/submission';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { ToastMessage } from '../../ui/toast';
import type { ChangeDialogProps } from './change.dialog.props';
import { DeleteProjectDialog } from './DeleteProjectDialog';
import {
  allowOriginMachine,
  deleteProjectMachine,
  removeUrlMachine,
  renameProjectMachine,
  type ProjectSubject,
} from './project.changes.machine';
import { additionFailure, deletionToast, urlsAddedToast } from './project.text';
import { RenameProjectDialog } from './RenameProjectDialog';

interface ChangeTools {
  queryClient: QueryClient;
  userId: string | null;
  embeddedProjects: boolean;
}

/** A change of a project: its machine, its request, and the words of its dialog. */
export interface ProjectChange<Subject extends ProjectSubject, What extends string> {
  machine: SubmissionMachine<Subject, What>;
  submit: (subject: Subject, tools: ChangeTools) => Promise<unknown>;
  /** Why the change is no longer possible or needed, by the project in the list; `null` if it still is. */
  vanished?: (project: Project, subject: Subject) => What | null;
  words: Pick<ChangeDialogProps<Subject, What>, 'title' | 'act' | 'busyAct' | 'isDangerous' | 'failureOf'> & {
    goneWords: Record<What, string>;
  };
  doneToast: (subject: Subject, tools: ChangeTools) => ToastMessage;
  Dialog: ComponentType<ChangeDialogProps<Subject, What> & { subject: Subject | null }>;
  /** Whether a row of a list opens the dialog. */
  isOfRow?: boolean;
}

const change = <Subject extends ProjectSubject, What extends string>(
  entry: ProjectChange<Subject, What>,
): ProjectChange<Subject, What> => entry;

const deletedElsewhere = 'This project was deleted in another tab or on another device.';

/** The changes of a project that a dialog asks for. */
export const projectChanges = {
  allowOrigin: change({
    machine: allowOriginMachine,
    submit: ({ project, url }, { queryClient, userId }) =>
      addWhitelistUrls(queryClient, { project, urls: [url], userId }),
    vanished: ({ urls }, { url }) => (urls.includes(url) ? 'url' : null),
    words: {
      title: 'Allow this site',
      act: 'Allow',
      busyAct: 'Allowing...',
      isDangerous: false,
      failureOf: additionFailure,
      goneWords: {
        project: deletedElsewhere,
        url: 'This URL was already added in another tab or on another device.',
      },
    },
    doneToast: () => urlsAddedToast,
    Dialog: ({ subject, ...dialog }) => (
      <SubmissionDialog {...dialog} title={subject ? `Allow ${subject.url}` : dialog.title}>
        Pages on{' '}
        <strong>
          <OriginText origin={subject?.url ?? ''} isWhole />
        </strong>
        , on any port, will be able to use the API key for <strong>{subject?.project.projectName}</strong> and
        to sign people in. Anyone can make a site appear here. Allow only your own.
      </SubmissionDialog>
    ),
    isOfRow: true,
  }),
  removeUrl: change({
    machine: removeUrlMachine,
    submit: (subject, { queryClient }) => removeWhitelistUrl(queryClient, subject),
    vanished: ({ urls }, { url }) => {
      if (!urls.includes(url)) return 'url';
      return urls.length === 1 ? 'last' : null;
    },
    words: {
      title: 'Remove allowed URL',
      act: 'Remove',
      busyAct: 'Removing...',
      failureOf: (error) => `Failed to delete whitelist URL: ${failureText(error)}`,
      goneWords: {
        project: deletedElsewhere,
        url: 'This URL was already removed in another tab or on another device.',
        last: 'This is the only URL left: the others were removed in another tab or on another device. Add another URL before you remove this one.',
      },
    },
    doneToast: () => ({ tone: 'success', title: 'Whitelist URL removed successfully' }),
    Dialog: ({ subject, ...dialog }) => (
      <SubmissionDialog {...dialog}>
        Pages on{' '}
        <strong>
          <OriginText origin={subject?.url ?? ''} isWhole />
        </strong>{' '}
        will no longer be able to use the API key for <strong>{subject?.project.projectName}</strong>. Their
        calls are blocked within a second.
      </SubmissionDialog>
    ),
    isOfRow: true,
  }),
  renameProject: change({
    machine: renameProjectMachine,
    submit: (subject, { queryClient }) => renameProject(queryClient, subject),
    words: {
      title: 'Rename project',
      act: 'Rename',
      busyAct: 'Renaming...',
      isDangerous: false,
      failureOf: (error) =>
        error instanceof HttpError && error.code === 'project.nameTaken'
          ? projectNameSentences.taken
          : `Failed to rename project: ${failureText(error)}`,
      goneWords: { project: deletedElsewhere },
    },
    doneToast: ({ name }) => ({ tone: 'success', title: 'Project Renamed', description: name }),
    Dialog: RenameProjectDialog,
  }),
  deleteProject: change({
    machine: deleteProjectMachine,
    submit: ({ project }, { queryClient, embeddedProjects }) =>
      deleteProject(queryClient, project, embeddedProjects),
    words: {
      title: 'Delete project',
      act: 'Ok',
      busyAct: 'Deleting...',
      failureOf: (error) => `Failed to delete project: ${failureText(error)}`,
      goneWords: { project: 'This project was already deleted in another tab or on another device.' },
    },
    doneToast: ({ project: { projectName } }, { embeddedProjects }) =>
      deletionToast(projectName, !embeddedProjects),
    Dialog: DeleteProjectDialog,
  }),
};
