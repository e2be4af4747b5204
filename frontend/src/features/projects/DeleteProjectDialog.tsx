import { DeleteOutlined } from '@ant-design/icons';
import type { Project } from '@orange-id/contract/projects.schema';
import { useSelector } from '@xstate/react';
import { Button, Flex } from 'antd';
import type { RefObject } from 'react';
import type { ActorRefFrom } from 'xstate';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { readSubmittedProjects } from '../../api/projects/submitted.projects';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { ToastMessage } from '../../ui/toast';
import type { deleteProjectMachine } from './project.changes.machine';
import { useOutcomeToasts } from './useOutcomeToasts';

const deletionFailure = (error: unknown): string => `Failed to delete project: ${failureText(error)}`;

/** The toast for a deleted project. A hosted project service (`isHosted`) doesn't delete projects. */
const deletionToast = (projectName: string, isHosted: boolean): ToastMessage =>
  isHosted
    ? {
        tone: 'success',
        title: '“Delete project” hidden',
        description: `${projectName} stays in My Projects, and its API key still works.`,
      }
    : { tone: 'success', title: 'Project Deleted', description: projectName };

interface DeleteProjectDialogProps {
  actor: ActorRefFrom<typeof deleteProjectMachine>;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Confirms deleting a project. With a hosted project service it deletes only the entry in this browser. */
export function DeleteProjectDialog({ actor, focusAfter }: DeleteProjectDialogProps) {
  const { features } = useConfig();
  const project = useSelector(actor, ({ context }) => context.subject?.project);
  useOutcomeToasts(
    actor,
    ({ project: { projectName } }) => deletionToast(projectName, !features.embeddedProjects),
    deletionFailure,
  );
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

/** Only projects created in this browser can be deleted here. */
export function DeleteProjectButton({
  project: { code, projectName },
  actor,
}: {
  project: Project;
  actor: DeleteProjectDialogProps['actor'];
}) {
  const { features } = useConfig();
  const isCreatedHere = readSubmittedProjects().some(({ id }) => id === code);
  // A remote service can't delete projects.
  if (!isCreatedHere && !features.embeddedProjects) return null;
  if (!isCreatedHere)
    return (
      <Flex component="p" className="note" flex="1 1 100%">
        You can delete this project only in the browser you created it in. To stop its API key from working,
        update the key.
      </Flex>
    );
  return (
    <Button
      type="text"
      danger
      icon={<DeleteOutlined aria-hidden />}
      onClick={() => actor.send({ type: 'submission.open', subject: { project: { code, projectName } } })}
    >
      Delete project
    </Button>
  );
}
