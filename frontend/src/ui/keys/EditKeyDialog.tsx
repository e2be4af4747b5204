import { createKey, type ChangeKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { useSelector } from '@xstate/react';
import { Button, Flex, Input, type InputRef } from 'antd';
import { useRef, useState, type RefObject } from 'react';
import { failureText } from '../../api/failure.text';
import { DialogForm } from '../DialogForm';
import { Field } from '../Field';
import { SubmissionDialog } from '../SubmissionDialog';
import { useSubmissionOutcome } from '../useSubmission';
import type { KeyDialogActors } from './useKeyDialogs';
import { noTerms, termsOf, type TypedTerms } from './key.terms';
import { goneWords } from './key.text';
import { KeyTermsFields } from './KeyTermsFields';
import { useKeyTerms } from './useKeyTerms';
import { WhichKey } from './WhichKey';

/** The fields as typed. */
interface Fields extends TypedTerms {
  name: string;
}

const noFields: Fields = { name: '', ...noTerms };

const fieldsOf = (key: SavedKey): Fields => ({ name: key.name, ...termsOf(key) });

interface EditKeyDialogProps {
  actor: KeyDialogActors['edit'];
  focusAfter: RefObject<HTMLElement | null>;
  /** The key belongs to a project, which always has one. */
  isOfProject?: boolean;
}

/**
 * Changes the name, expiry and limit of a key. What was typed is kept for each key until it is saved or reset, also
 * when the dialog closes.
 */
export function EditKeyDialog({ actor, focusAfter, isOfProject = false }: EditKeyDialogProps) {
  const key = useSelector(actor, ({ context }) => context.subject?.key);
  const [drafts, setDrafts] = useState<Readonly<Record<string, Fields>>>({});
  const [nameProblem, setNameProblem] = useState<string | null>(null);
  const terms = useKeyTerms();
  const nameInput = useRef<InputRef>(null);
  const base = key ? fieldsOf(key) : noFields;
  const draft = key && drafts[key.id];
  const fields = draft ?? base;

  const clearProblems = () => {
    setNameProblem(null);
    terms.clearProblems();
  };
  const forget = (id: string) => {
    setDrafts(({ [id]: _, ...others }) => others);
    clearProblems();
  };
  useSubmissionOutcome(actor, { onDone: (saved) => forget(saved.key.id) });

  const type = (change: Partial<Fields>) => {
    if (!key) return;
    setDrafts({ ...drafts, [key.id]: { ...fields, ...change } });
    clearProblems();
  };

  const submit = () => {
    if (!key) return;
    const stopHint = isOfProject
      ? 'To stop the key now, choose Update API key, or rotate it with 0 days'
      : 'To stop the key now, delete or rotate it';
    const read = terms.read(fields, base, stopHint);
    const body: ChangeKey = read.terms;
    const name = fields.name === base.name ? undefined : createKey.shape.name.safeParse(fields.name);
    if (name?.success) body.name = name.data;
    setNameProblem(name?.error?.issues[0]?.message ?? null);
    const wrong = name?.error ? nameInput : read.wrong;
    if (wrong) wrong.current?.focus();
    else if (Object.keys(body).length === 0) actor.send({ type: 'submission.cancel' });
    else actor.send({ type: 'submission.confirm', subject: { key, body } });
  };

  return (
    <SubmissionDialog
      actor={actor}
      title="Edit API key"
      act="Save"
      busyAct="Saving..."
      isDangerous={false}
      isForm
      firstFocus={nameInput}
      failureOf={(error) => `Failed to save API key: ${failureText(error)}`}
      goneWords={goneWords}
      focusAfter={focusAfter}
      onConfirm={submit}
    >
      <DialogForm onSubmit={submit}>
        <Flex vertical gap={8}>
          {key && <WhichKey saved={key} />}
          <Field
            label="Name"
            help="What the key is for. Anyone with the key can read this name."
            error={nameProblem}
          >
            {(control) => (
              <Input
                {...control}
                ref={nameInput}
                autoComplete="off"
                value={fields.name}
                onChange={({ target }) => type({ name: target.value })}
              />
            )}
          </Field>
          <KeyTermsFields {...terms.fields} typed={fields} onType={type} />
          <Flex align="center" justify="space-between" gap={8}>
            <span className="note">
              {draft
                ? 'Not saved yet. Closing this dialog keeps what you typed.'
                : 'Changes take effect within a second.'}
            </span>
            <Button
              size="small"
              style={{ visibility: draft ? 'visible' : 'hidden' }}
              onClick={() => {
                if (key) forget(key.id);
                nameInput.current?.focus();
              }}
            >
              Reset
            </Button>
          </Flex>
        </Flex>
      </DialogForm>
    </SubmissionDialog>
  );
}
