import { limits } from '@orange-id/contract/limits';
import { checkName } from '@orange-id/contract/text.rule';
import { useSelector } from '@xstate/react';
import { Input, type InputRef } from 'antd';
import { useRef, useState, type RefObject } from 'react';
import type { ActorRefFrom } from 'xstate';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { Field } from '../../ui/Field';
import { projectNameSentences } from '../../ui/project.name.text';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { renameProjectMachine } from './project.changes.machine';
import { useHasProjectUsers } from './useHasProjectUsers';
import { useOutcomeToasts } from './useOutcomeToasts';

const renamingFailure = (error: unknown): string =>
  error instanceof HttpError && error.code === 'project.nameTaken'
    ? projectNameSentences.taken
    : `Failed to rename project: ${failureText(error)}`;

interface RenameProjectDialogProps {
  actor: ActorRefFrom<typeof renameProjectMachine>;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Renames a project. The rules for its name are those of the wizard. */
export function RenameProjectDialog({ actor, focusAfter }: RenameProjectDialogProps) {
  const subject = useSelector(actor, ({ context }) => context.subject);
  const hasUsers = useHasProjectUsers();
  const field = useRef<InputRef>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const before = subject?.project.projectName ?? '';
  useOutcomeToasts(
    actor,
    ({ name }) => ({ tone: 'success', title: 'Project Renamed', description: name }),
    renamingFailure,
  );
  const submit = () => {
    if (!subject) return;
    const verdict = checkName(typed ?? before, limits.projectNameMaxCharacters);
    if (!verdict.ok) {
      setProblem(projectNameSentences[verdict.code]);
      field.current?.focus();
    } else if (verdict.name === before) actor.send({ type: 'submission.cancel' });
    else
      actor.send({
        type: 'submission.confirm',
        subject: { project: subject.project, name: verdict.name },
      });
  };
  return (
    <SubmissionDialog
      actor={actor}
      title="Rename project"
      act="Rename"
      busyAct="Renaming..."
      isDangerous={false}
      isForm
      firstFocus={field}
      failureOf={renamingFailure}
      goneWords={{ project: 'This project was deleted in another tab or on another device.' }}
      focusAfter={focusAfter}
      onConfirm={submit}
      onClosed={() => {
        setTyped(null);
        setProblem(null);
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Project name"
          help={
            hasUsers
              ? `The ID and the API key stay. People who use its app see both names for ${limits.formerNameDays} days.`
              : 'The ID and the API key stay.'
          }
          error={problem}
        >
          {(control) => (
            <Input
              {...control}
              ref={field}
              autoComplete="off"
              value={typed ?? before}
              onChange={({ target }) => {
                setTyped(target.value);
                setProblem(null);
              }}
            />
          )}
        </Field>
      </form>
    </SubmissionDialog>
  );
}
