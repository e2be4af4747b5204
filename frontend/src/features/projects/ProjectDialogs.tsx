import type { Project } from '@orange-id/contract/projects.schema';
import { Fragment, useEffect } from 'react';
import { AddUrlsDialog } from './AddUrlsDialog';
import type { DialogProject } from './dialog.errors';
import { projectChanges } from './project.changes';
import { UpdateKeyDialog } from './UpdateKeyDialog';
import { useAddUrls } from './useAddUrls';
import { useProjectChange, type DialogFocus } from './useProjectChange';
import { useUpdateKey } from './useUpdateKey';

/** The changes of a project whose dialogs the page shows. */
const useProjectChanges = (projects: readonly Project[] | undefined, onDeleted: () => void) => ({
  allowOrigin: useProjectChange(projectChanges.allowOrigin, projects),
  removeUrl: useProjectChange(projectChanges.removeUrl, projects),
  renameProject: useProjectChange(projectChanges.renameProject, projects),
  deleteProject: useProjectChange(projectChanges.deleteProject, projects, onDeleted),
});

export interface Dialogs {
  updateKey: ReturnType<typeof useUpdateKey>;
  addUrls: ReturnType<typeof useAddUrls>;
  changes: ReturnType<typeof useProjectChanges>;
}

/** The dialogs of the page. They belong to the page and not to a project, so that they can report its deletion. */
export const useProjectDialogs = (
  projects: readonly Project[] | undefined,
  onDeleted: () => void,
): Dialogs => ({
  updateKey: useUpdateKey(projects),
  addUrls: useAddUrls(projects),
  changes: useProjectChanges(projects, onDeleted),
});

/**
 * Closes dialogs of any project other than the shown one, for example after Back. Pending URLs are kept, and a pending
 * request completes first. `null`: no project is shown; `undefined`: not known yet, or the shown one was deleted.
 */
export function useLeaving(
  { updateKey, addUrls: { actor: addUrls }, changes }: Dialogs,
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
    for (const { actor } of Object.values(changes)) {
      if (isOther(actor.getSnapshot().context.subject?.project)) actor.send({ type: 'submission.cancel' });
    }
  }, [shownCode, updateKey, addUrls, changes]);
}

export function ProjectDialogs({ dialogs, ...focus }: DialogFocus & { dialogs: Dialogs }) {
  return (
    <>
      <UpdateKeyDialog actor={dialogs.updateKey} focusAfter={focus.focusAfter} />
      <AddUrlsDialog actor={dialogs.addUrls.actor} focusAfter={focus.focusAfter} />
      {Object.entries(dialogs.changes).map(([name, { dialog }]) => (
        <Fragment key={name}>{dialog(focus)}</Fragment>
      ))}
    </>
  );
}
