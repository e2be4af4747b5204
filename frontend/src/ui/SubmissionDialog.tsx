import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog';
import type { SnapshotFrom } from 'xstate';
import type { SubmissionActor, SubmissionMachine } from './submission';

type SubmissionDialogProps<Subject, What extends string> = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'act' | 'busyAct' | 'isDangerous' | 'isForm' | 'firstFocus' | 'focusAfter' | 'onClosed'
> & {
  actor: SubmissionActor<Subject, What>;
  /** Whether the dialog closes for now, because another step comes before the next attempt. */
  isPaused?: (snapshot: SnapshotFrom<SubmissionMachine<Subject, What>>) => boolean;
  /** The sentence for a failed attempt. */
  failureOf: (error: unknown) => string;
  /** The sentence for each way the subject can vanish. */
  goneWords?: Record<What, string>;
  /** Sends `submission.confirm` with what the user entered, or shows what is missing. */
  onConfirm?: () => void;
  /** The consequence, in one sentence, or a form. */
  children: ReactNode;
};

/** The dialog that asks the user to confirm a submission. */
export function SubmissionDialog<Subject, What extends string>({
  actor,
  isPaused = () => false,
  failureOf,
  goneWords,
  onConfirm = () => actor.send({ type: 'submission.confirm' }),
  ...words
}: SubmissionDialogProps<Subject, What>) {
  const snapshot = useSelector(actor, (current) => current);
  const { failure, gone } = snapshot.context;
  return (
    <div data-machine={snapshot.machine.id} data-state={snapshot.value} hidden>
      <ConfirmDialog
        {...words}
        isOpen={snapshot.hasTag('open') && !isPaused(snapshot)}
        isBusy={snapshot.hasTag('busy')}
        failure={failure && !isPaused(snapshot) ? failureOf(failure) : null}
        gone={gone && (goneWords?.[gone] ?? null)}
        onConfirm={onConfirm}
        onCancel={() => actor.send({ type: 'submission.cancel' })}
      />
    </div>
  );
}
