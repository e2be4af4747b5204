import { limits } from '@orange-id/contract/limits';
import { checkName } from '@orange-id/contract/text.rule';
import { Input, type InputRef } from 'antd';
import { useRef, useState } from 'react';
import { DialogForm } from '../../ui/DialogForm';
import { Field } from '../../ui/Field';
import { projectNameSentences } from '../../ui/project.name.text';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { ChangeDialogProps } from './change.dialog.props';
import type { ProjectName } from './project.changes.machine';
import { useHasProjectUsers } from './useHasProjectUsers';

/** Renames a project. The rules for its name are those of the wizard. */
export function RenameProjectDialog({
  subject,
  ...dialog
}: ChangeDialogProps<ProjectName> & { subject: ProjectName | null }) {
  const hasUsers = useHasProjectUsers();
  const field = useRef<InputRef>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const before = subject?.project.projectName ?? '';
  const submit = () => {
    if (!subject) return;
    const verdict = checkName(typed ?? before, limits.projectNameMaxCharacters);
    if (!verdict.ok) {
      setProblem(projectNameSentences[verdict.code]);
      field.current?.focus();
    } else if (verdict.name === before) dialog.actor.send({ type: 'submission.cancel' });
    else
      dialog.actor.send({
        type: 'submission.confirm',
        subject: { project: subject.project, name: verdict.name },
      });
  };
  return (
    <SubmissionDialog
      {...dialog}
      isForm
      firstFocus={field}
      onConfirm={submit}
      onClosed={() => {
        setTyped(null);
        setProblem(null);
      }}
    >
      <DialogForm onSubmit={submit}>
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
      </DialogForm>
    </SubmissionDialog>
  );
}
