import { rotateKey } from '@orange-id/contract/keys.schema';
import { limits } from '@orange-id/contract/limits';
import { useSelector } from '@xstate/react';
import { Flex, Input, type InputRef } from 'antd';
import { useRef, useState, type RefObject } from 'react';
import { failureText } from '../../api/failure.text';
import { useNow } from '../clock.store';
import { Field } from '../Field';
import { SubmissionDialog } from '../SubmissionDialog';
import { absoluteTime } from '../time.text';
import { goneWords } from './key.text';
import { RecentUse } from './RecentUse';
import type { KeyDialogActors } from './useKeyDialogs';

const dayMs = 86_400_000;
/** The overlap that the dialog proposes. */
export const usualOverlapDays = 7;

const daysOf = (text: string): number | null => {
  const parsed = rotateKey.safeParse({ overlapDays: text.trim() === '' ? NaN : Number(text) });
  return parsed.success ? parsed.data.overlapDays : null;
};

interface RotateKeyDialogProps {
  actor: KeyDialogActors['rotate'];
  focusAfter: RefObject<HTMLElement | null>;
  onClosed?: () => void;
}

/** Replaces a key with a new one, and asks how long the old one keeps working. */
export function RotateKeyDialog({ actor, focusAfter, onClosed }: RotateKeyDialogProps) {
  const subject = useSelector(actor, ({ context }) => context.subject);
  const now = useNow();
  const [text, setText] = useState(String(usualOverlapDays));
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<InputRef>(null);
  const days = daysOf(text);
  const key = subject?.key;

  const submit = () => {
    if (!key) return;
    if (days === null) {
      setProblem(`Enter a whole number of days from 0 to ${limits.keyOverlapMaxDays}`);
      input.current?.focus();
    } else actor.send({ type: 'submission.confirm', subject: { key, overlapDays: days } });
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
      onClosed={onClosed}
      onConfirm={submit}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Flex vertical gap={12}>
          <p>
            This makes a new key for <strong>{key?.name}</strong>. Both keys work during the overlap, so you
            can switch your clients without a gap.
          </p>
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
        </Flex>
      </form>
    </SubmissionDialog>
  );
}
