import { rotateKey } from '@orange-id/contract/keys.schema';
import { limits } from '@orange-id/contract/limits';
import { useSelector } from '@xstate/react';
import { Flex, Input, type InputRef } from 'antd';
import { useRef, useState, type RefObject } from 'react';
import { failureText } from '../../api/failure.text';
import { useNow } from '../clock.store';
import { DialogForm } from '../DialogForm';
import { Field } from '../Field';
import { formatCount } from '../number.text';
import { SubmissionDialog } from '../SubmissionDialog';
import { absoluteTime } from '../time.text';
import { noTerms, termsOf, type TypedTerms } from './key.terms';
import { goneWords } from './key.text';
import { KeyTermsFields } from './KeyTermsFields';
import { RecentUse } from './RecentUse';
import type { KeyDialogActors } from './useKeyDialogs';
import { useKeyTerms } from './useKeyTerms';
import { WhichKey } from './WhichKey';
import styles from './key-terms.module.css';

const dayMs = 86_400_000;
/** The overlap that the dialog proposes. */
export const usualOverlapDays = 7;

const daysOf = (text: string): number | null => {
  const parsed = rotateKey.safeParse({ overlapDays: text.trim() === '' ? NaN : Number(text) });
  return parsed.success ? parsed.data.overlapDays : null;
};

/** Says how the new key differs from the old one. */
const changeNote = (isChanged: boolean, old: string): string =>
  isChanged ? ` The old key ${old}.` : ' The same as the old key’s.';

interface RotateKeyDialogProps {
  actor: KeyDialogActors['rotate'];
  focusAfter: RefObject<HTMLElement | null>;
  onClosed?: () => void;
}

/** Replaces a key with a new one, and asks how long the old one keeps working, and for the new one's expiry and limit. */
export function RotateKeyDialog({ actor, focusAfter, onClosed }: RotateKeyDialogProps) {
  const subject = useSelector(actor, ({ context }) => context.subject);
  const now = useNow();
  const [text, setText] = useState(String(usualOverlapDays));
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<InputRef>(null);
  const days = daysOf(text);
  const key = subject?.key;
  const [typed, setTyped] = useState<TypedTerms | null>(null);
  const { fields, clearProblems, read } = useKeyTerms();
  const isExpired = key?.expiresAt != null && Date.parse(key.expiresAt) <= now;
  const before = key ? termsOf(key) : noTerms;
  // An expiry that is over would stop the new key at once.
  const proposed = isExpired ? { ...before, expiresAt: '' } : before;
  const terms = typed ?? proposed;
  const notes = {
    expiresAt: changeNote(
      before.expiresAt !== terms.expiresAt,
      key?.expiresAt
        ? `${isExpired ? 'expired' : 'expires'} at ${absoluteTime(key.expiresAt)}`
        : 'has no expiry',
    ),
    rateLimit: changeNote(
      before.rateLimit !== terms.rateLimit,
      key?.rateLimit ? `has ${formatCount(key.rateLimit)}` : 'has no limit of its own',
    ),
  };

  const submit = () => {
    if (!key) return;
    const { terms: checked, wrong } = read(terms, noTerms, 'To stop the old key now, enter 0 days above');
    if (days === null) {
      setProblem(`Enter a whole number of days from 0 to ${limits.keyOverlapMaxDays}`);
      input.current?.focus();
    } else if (wrong) wrong.current?.focus();
    else {
      const { expiresAt = null, rateLimit = null } = checked;
      // Only what was typed has been cut to minutes.
      const kept = terms.expiresAt === before.expiresAt ? key.expiresAt : expiresAt;
      actor.send({
        type: 'submission.confirm',
        subject: { key, overlapDays: days, expiresAt: kept, rateLimit },
      });
    }
  };
  const end =
    days === null ? null : Math.min(now + days * dayMs, Date.parse(key?.expiresAt ?? '') || Infinity);

  return (
    <SubmissionDialog
      actor={actor}
      title="Rotate API key"
      act="Rotate key"
      busyAct="Rotating..."
      isDangerous={days === 0}
      isForm
      firstFocus={input}
      failureOf={(error) => `Failed to rotate API key: ${failureText(error)}`}
      goneWords={goneWords}
      focusAfter={focusAfter}
      onClosed={() => {
        setTyped(null);
        clearProblems();
        onClosed?.();
      }}
      onConfirm={submit}
    >
      <DialogForm onSubmit={submit}>
        <Flex vertical gap={12}>
          <p>
            This makes a new key for <strong>{key?.name}</strong>. Both keys work during the overlap, so you
            can switch your clients without a gap.
          </p>
          {key && <WhichKey saved={key} />}
          <Field
            label="Days until the old key stops"
            help={
              days === 0
                ? 'The old key stops working within a second. You can’t restore it.'
                : end === null
                  ? `From 0 to ${limits.keyOverlapMaxDays} days.`
                  : `The old key works until ${absoluteTime(new Date(end).toISOString())}. You can end it earlier.`
            }
            error={problem}
          >
            {(control) => (
              <Input
                {...control}
                ref={input}
                inputMode="numeric"
                autoComplete="off"
                suffix="days"
                value={text}
                onChange={({ target }) => {
                  setText(target.value);
                  setProblem(null);
                }}
              />
            )}
          </Field>
          {days === 0 && key && <RecentUse saved={key} />}
          <fieldset className={styles.terms}>
            <legend>The new key</legend>
            <KeyTermsFields
              {...fields}
              typed={terms}
              notes={notes}
              onType={(change) => {
                setTyped({ ...terms, ...change });
                clearProblems();
              }}
            />
          </fieldset>
        </Flex>
      </DialogForm>
    </SubmissionDialog>
  );
}
