import { createKey, type ChangeKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { useSelector } from '@xstate/react';
import { Button, Flex, Input, type InputRef } from 'antd';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { Field } from '../Field';
import { clockChangeProblem } from '../local.time';
import { formatCount } from '../number.text';
import { SubmissionDialog } from '../SubmissionDialog';
import { timeZone } from '../time.text';
import type { KeyDialogActors } from './useKeyDialogs';
import { goneWords } from './key.text';

/** The fields as typed. */
interface Fields {
  name: string;
  /** A local time as the browser's input has it, such as `2027-01-31T12:00`. */
  expiresAt: string;
  rateLimit: string;
}

type Problems = Partial<Record<keyof Fields, string>>;

const noFields: Fields = { name: '', expiresAt: '', rateLimit: '' };

const fieldsOf = ({ name, expiresAt, rateLimit }: SavedKey): Fields => ({
  name,
  expiresAt: expiresAt === null ? '' : localMinute(new Date(expiresAt)),
  rateLimit: rateLimit === null ? '' : String(rateLimit),
});

/** The local time to the minute, without a zone. */
function localMinute(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

interface EditKeyDialogProps {
  actor: KeyDialogActors['edit'];
  focusAfter: RefObject<HTMLElement | null>;
}

/**
 * Changes the name, expiry and limit of a key. What was typed is kept for each key until it is saved or reset, also
 * when the dialog closes.
 */
export function EditKeyDialog({ actor, focusAfter }: EditKeyDialogProps) {
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
    // The browser reports no value for an incomplete time, which must not remove the expiry.
    if (expiryInput.current?.input?.validity.badInput) {
      found.expiresAt = 'Enter a complete date and time, or clear the field for no expiry';
    } else if (fields.expiresAt !== base.expiresAt) {
      const at = fields.expiresAt === '' ? null : new Date(fields.expiresAt);
      const clockProblem = clockChangeProblem(fields.expiresAt);
      if (clockProblem) found.expiresAt = clockProblem;
      else if (at && !(at.getTime() > Date.now()))
        found.expiresAt = 'The expiry must be in the future. To stop the key now, delete or rotate it';
      else body.expiresAt = at && at.toISOString();
    }
    if (fields.rateLimit !== base.rateLimit) {
      const limit = Number(fields.rateLimit);
      const isEmpty = fields.rateLimit.trim() === '';
      if (!isEmpty && !(Number.isInteger(limit) && limit >= 1 && limit <= rateLimitPerKey))
        found.rateLimit = `Enter a whole number from 1 to ${formatCount(rateLimitPerKey)}, or leave it empty`;
      else body.rateLimit = isEmpty ? null : limit;
    }
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
          <Field
            label="Expires"
            help={`In ${timeZone}. Calls after that get 401. Empty for no expiry.`}
            error={problems.expiresAt ?? null}
          >
            {(control) => (
              <Input
                {...control}
                ref={expiryInput}
                type="datetime-local"
                value={fields.expiresAt}
                onChange={({ target }) => type({ expiresAt: target.value })}
              />
            )}
          </Field>
          <Field
            label="Limit in calls per second"
            help={`At most ${formatCount(rateLimitPerKey)}, which applies if this is empty. Calls above it get 429.`}
            error={problems.rateLimit ?? null}
          >
            {(control) => (
              <Input
                {...control}
                ref={limitInput}
                inputMode="numeric"
                autoComplete="off"
                placeholder={String(rateLimitPerKey)}
                value={fields.rateLimit}
                onChange={({ target }) => type({ rateLimit: target.value })}
              />
            )}
          </Field>
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
