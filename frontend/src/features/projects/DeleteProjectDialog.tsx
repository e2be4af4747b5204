import { DeleteOutlined } from '@ant-design/icons';
import type { Project } from '@orange-id/contract/projects.schema';
import { Button, Input, type InputRef } from 'antd';
import { useRef, useState } from 'react';
import { useConfig } from '../../api/config/config.context';
import { readSubmittedProjects } from '../../api/projects/submitted.projects';
import { Field } from '../../ui/Field';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { ChangeDialogProps } from './change.dialog.props';
import type { ProjectSubject } from './project.changes.machine';

/** Whether this browser has created the project. */
const isCreatedHere = (code: string | undefined): boolean =>
  readSubmittedProjects().some(({ id }) => id === code);

/**
 * Confirms deleting a project; in a browser that hasn't created it, by typing its name. With a hosted project service it
 * deletes only the entry in this browser.
 */
export function DeleteProjectDialog({
  subject,
  ...dialog
}: ChangeDialogProps<ProjectSubject> & { subject: ProjectSubject | null }) {
  const { features } = useConfig();
  const project = subject?.project;
  const field = useRef<InputRef>(null);
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const isNameAsked = features.embeddedProjects && !isCreatedHere(project?.code);
  const confirm = () => {
    if (!isNameAsked || typed.trim() === project?.projectName) {
      dialog.actor.send({ type: 'submission.confirm' });
      return;
    }
    setRefused(true);
    field.current?.focus();
  };
  const reset = () => {
    setTyped('');
    setRefused(false);
  };
  const name = <strong translate="no">{project?.projectName}</strong>;
  const consequence = (
    <>
      This deletes {name} and its allowed URLs. Its API key stops working within a second. You can’t undo
      this. Recorded calls stay in Usage.
    </>
  );
  return (
    <SubmissionDialog
      {...dialog}
      isForm={isNameAsked}
      {...(isNameAsked ? { firstFocus: field } : {})}
      onConfirm={confirm}
      onClosed={reset}
    >
      {isNameAsked ? (
        <>
          <p>{consequence}</p>
          <p>This browser didn’t create the project. To delete it, type its name.</p>
          <Field label="Project name" error={isRefused ? 'This isn’t the name of the project.' : null}>
            {(control) => (
              <Input
                {...control}
                ref={field}
                value={typed}
                autoComplete="off"
                onChange={({ target }) => {
                  setTyped(target.value);
                  setRefused(false);
                }}
                onPressEnter={confirm}
              />
            )}
          </Field>
        </>
      ) : features.embeddedProjects ? (
        consequence
      ) : (
        <>
          The project service doesn’t delete projects. {name} stays in My Projects and its API key still
          works. This only hides “Delete project” in this browser. To stop the key from working, update it.
        </>
      )}
    </SubmissionDialog>
  );
}

/** With a hosted project service, which deletes no projects, only for those created in this browser. */
export function DeleteProjectButton({
  project: { code, projectName },
  onOpen,
}: {
  project: Project;
  onOpen: (subject: ProjectSubject) => void;
}) {
  const { features } = useConfig();
  if (!features.embeddedProjects && !isCreatedHere(code)) return null;
  return (
    <Button
      type="text"
      danger
      icon={<DeleteOutlined aria-hidden />}
      onClick={() => onOpen({ project: { code, projectName } })}
    >
      Delete project
    </Button>
  );
}
