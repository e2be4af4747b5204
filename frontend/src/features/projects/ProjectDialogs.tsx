import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { Flex } from 'antd';
import { useCallback, useEffect, useMemo, type RefObject } from 'react';
import type { ActorRefFrom } from 'xstate';
import { useConfig } from '../../api/config/config.context';
import { addWhitelistUrls } from '../../api/projects/add.whitelist.urls';
import { deleteProject } from '../../api/projects/delete.project';
import { removeWhitelistUrl } from '../../api/projects/remove.whitelist.url';
import { renameProject } from '../../api/projects/rename.project';
import { useAuth } from '../../api/session/auth.context';
import { AddUrlsDialog } from './AddUrlsDialog';
import { AllowOriginDialog } from './AllowOriginDialog';
import { DeleteProjectButton, DeleteProjectDialog } from './DeleteProjectDialog';
import type { DialogProject } from './dialog.errors';
import {
  allowOriginMachine,
  deleteProjectMachine,
  removeUrlMachine,
  renameProjectMachine,
  type ProjectName,
  type ProjectSubject,
  type ProjectUrl,
} from './project.changes.machine';
import { RemoveUrlDialog } from './RemoveUrlDialog';
import { RenameProjectDialog } from './RenameProjectDialog';
import { UpdateKeyDialog } from './UpdateKeyDialog';
import { useAddUrls } from './useAddUrls';
import { useProjectSubmission } from './useProjectSubmission';
import { useUpdateKey } from './useUpdateKey';

export interface DialogActors {
  updateKey: ReturnType<typeof useUpdateKey>;
  addUrls: ReturnType<typeof useAddUrls>['actor'];
  draftOf: ReturnType<typeof useAddUrls>['draftOf'];
  submissions: {
    allowOrigin: ActorRefFrom<typeof allowOriginMachine>;
    removeUrl: ActorRefFrom<typeof removeUrlMachine>;
    renameProject: ActorRefFrom<typeof renameProjectMachine>;
    deleteProject: ActorRefFrom<typeof deleteProjectMachine>;
  };
}

/** The dialogs of the page. They belong to the page and not to a project, so that they can report its deletion. */
export function useProjectDialogs(
  projects: readonly Project[] | undefined,
  onDeleted: () => void,
): DialogActors {
  const queryClient = useQueryClient();
  const { embeddedProjects } = useConfig().features;
  const { user } = useAuth();
  const userId = user?.id ?? null;
  const updateKey = useUpdateKey(projects);
  const { actor: addUrls, draftOf } = useAddUrls(projects, userId);

  const allow = useCallback(
    ({ project, url }: ProjectUrl) => addWhitelistUrls(queryClient, { project, urls: [url], userId }),
    [queryClient, userId],
  );
  const allowOrigin = useProjectSubmission(allowOriginMachine, projects, allow, {
    vanished: ({ urls }, { url }) => (urls.includes(url) ? 'url' : null),
  });
  const remove = useCallback(
    (subject: ProjectUrl) => removeWhitelistUrl(queryClient, subject),
    [queryClient],
  );
  const removeUrl = useProjectSubmission(removeUrlMachine, projects, remove, {
    vanished: ({ urls }, { url }) => {
      if (!urls.includes(url)) return 'url';
      return urls.length === 1 ? 'last' : null;
    },
  });
  const rename = useCallback((subject: ProjectName) => renameProject(queryClient, subject), [queryClient]);
  const renaming = useProjectSubmission(renameProjectMachine, projects, rename);
  const deleteWhole = useCallback(
    ({ project }: ProjectSubject) => deleteProject(queryClient, project, embeddedProjects),
    [queryClient, embeddedProjects],
  );
  const deletion = useProjectSubmission(deleteProjectMachine, projects, deleteWhole, { onDone: onDeleted });

  return useMemo(
    () => ({
      updateKey,
      addUrls,
      draftOf,
      submissions: { allowOrigin, removeUrl, renameProject: renaming, deleteProject: deletion },
    }),
    [updateKey, addUrls, draftOf, allowOrigin, removeUrl, renaming, deletion],
  );
}

/**
 * Closes dialogs of any project other than the shown one, for example after Back. Pending URLs are kept, and a pending
 * request completes first. `null`: no project is shown; `undefined`: not known yet, or the shown one was deleted.
 */
export function useLeaving(
  { updateKey, addUrls, submissions }: DialogActors,
  shownCode: string | null | undefined,
): void {
  useEffect(() => {
    if (shownCode === undefined) return;
    const isOther = (project: DialogProject | null | undefined) => project && project.code !== shownCode;
    if (isOther(updateKey.getSnapshot().context.project)) {
      updateKey.send({ type: 'update.cancel' });
      updateKey.send({ type: 'dialog.leave' });
    }
    if (isOther(addUrls.getSnapshot().context.project)) addUrls.send({ type: 'dialog.close' });
    for (const actor of Object.values(submissions)) {
      if (isOther(actor.getSnapshot().context.subject?.project)) actor.send({ type: 'submission.cancel' });
    }
  }, [shownCode, updateKey, addUrls, submissions]);
}

interface ProjectDialogsProps {
  dialogs: DialogActors;
  focusAfter: RefObject<HTMLElement | null>;
  /** For dialogs that a row of a list opens. */
  rowFocusAfter: RefObject<HTMLElement | null>;
}

export function ProjectDialogs({ dialogs, focusAfter, rowFocusAfter }: ProjectDialogsProps) {
  const { updateKey, addUrls, submissions } = dialogs;
  return (
    <>
      <UpdateKeyDialog actor={updateKey} focusAfter={focusAfter} />
      <AddUrlsDialog actor={addUrls} focusAfter={focusAfter} />
      <AllowOriginDialog actor={submissions.allowOrigin} focusAfter={rowFocusAfter} />
      <RemoveUrlDialog actor={submissions.removeUrl} focusAfter={rowFocusAfter} />
      <RenameProjectDialog actor={submissions.renameProject} focusAfter={focusAfter} />
      <DeleteProjectDialog actor={submissions.deleteProject} focusAfter={focusAfter} />
    </>
  );
}

/** Buttons for the project as a whole, at the end of the panel. */
export function ProjectActions({ project, dialogs }: { project: Project; dialogs: DialogActors }) {
  return (
    <Flex wrap gap={8} justify="flex-end">
      <DeleteProjectButton project={project} actor={dialogs.submissions.deleteProject} />
    </Flex>
  );
}
