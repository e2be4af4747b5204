import { createKey, type ChangeKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { useSelector } from '@xstate/react';
import { Button, Flex, Input, type InputRef } from 'antd';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { Field } from '../Field';
import { SubmissionDialog } from '../SubmissionDialog';
import type { KeyDialogActors } from './useKeyDialogs';
import { noTerms, readTerms, type TermProblems, termsOf, type TypedTerms } from './key.terms';
import { goneWords } from './key.text';
import { KeyTermsFields } from './KeyTermsFields';
import { WhichKey } from './WhichKey';

/** The fields as typed. */
interface Fields extends TypedTerms {
  name: string;
}

type Problems = TermProblems & { name?: string };

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
  const { rateLimitPerKey } = useConfig();
  const key = useSelector(actor, ({ context }) => context.subject?.key);
  const [drafts, setDrafts] = useState<Readonly<Record<string, Fields>>>({});
  const [problems, setProblems] = useState<Problems>({});
  const nameInput = useRef<InputRef>(null);
  const expiryInput = useRef<InputRef>(null);
  const limitInput = useRef<InputRef>(null);
  const base = key ? fieldsOf(key) : noFields;
  const draft = key && drafts[key.id];
  const fields = draft ?? base;

  const forget = (id: string) => {
    setDrafts(({ [id]: _, ...others }) => others);
    setProblems({});
  };
  useEffect(() => {
    const done = actor.on('submission.done', ({ subject }) => forget(subject.key.id));
    return () => done.unsubscribe();
  }, [actor]);

  const type = (change: Partial<Fields>) => {
    if (!key) return;
    setDrafts({ ...drafts, [key.id]: { ...fields, ...change } });
    setProblems({});
  };

  const submit = () => {
    if (!key) return;
    const found: Problems = {};
    const body: ChangeKey = {};
    if (fields.name !== base.name) {
      const parsed = createKey.shape.name.safeParse(fields.name);
      if (parsed.success) body.name = parsed.data;
      else found.name = parsed.error.issues[0]?.message ?? 'Name is invalid';
    }
    const { terms, problems: bad } = readTerms(fields, base, {
      most: rateLimitPerKey,
      isIncomplete: expiryInput.current?.input?.validity.badInput === true,
      stopHint: isOfProject
        ? 'To stop the key now, choose Update API key, or rotate it with 0 days'
        : 'To stop the key now, delete or rotate it',
    });
    Object.assign(found, bad);
    Object.assign(body, terms);
    setProblems(found);
    if (found.name) nameInput.current?.focus();
    else if (found.expiresAt) expiryInput.current?.focus();
    else if (found.rateLimit) limitInput.current?.focus();
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
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Flex vertical gap={8}>
          {key && <WhichKey saved={key} />}
          <Field
            label="Name"
            help="What the key is for. Anyone with the key can read this name."
            error={problems.name ?? null}
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
          <KeyTermsFields
            typed={fields}
            problems={problems}
            expiryInput={expiryInput}
            limitInput={limitInput}
            onType={type}
          />
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
          {/* Enter submits a form with several fields only if it has a button. */}
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </Flex>
      </form>
    </SubmissionDialog>
  );
}
