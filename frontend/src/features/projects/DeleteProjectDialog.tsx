import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import { useConfig } from '../../api/config/config.context';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { deletionFailure } from './project.text';
import type { ProjectDialogs } from './useProjectDialogs';

interface DeleteProjectDialogProps {
  actor: ProjectDialogs['deleteProject'];
  focusAfter: RefObject<HTMLElement | null>;
}

/** Confirms deleting a project. With a hosted project service it deletes only the entry in this browser. */
export function DeleteProjectDialog({ actor, focusAfter }: DeleteProjectDialogProps) {
  const { features } = useConfig();
  const project = useSelector(actor, ({ context }) => context.subject);
  const name = <strong>{project?.projectName}</strong>;
  return (
    <SubmissionDialog
      actor={actor}
      title="Delete project"
      act="Ok"
      busyAct="Deleting..."
      failureOf={deletionFailure}
      goneWords={{ project: 'This project was already deleted in another tab or on another device.' }}
      focusAfter={focusAfter}
    >
      {features.embeddedProjects ? (
        <>
          This deletes {name} and its allowed URLs. Its API key stops working within a second. You can’t undo
          this. Recorded calls stay in Usage.
        </>
      ) : (
        <>
          The project service doesn’t delete projects. {name} stays in My Projects and its API key still
          works. This only hides “Delete project” in this browser. To stop the key from working, update it.
        </>
      )}
    </SubmissionDialog>
  );
}
