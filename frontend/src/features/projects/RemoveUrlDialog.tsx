import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import type { ActorRefFrom } from 'xstate';
import { failureText } from '../../api/failure.text';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { ToastMessage } from '../../ui/toast';
import type { removeUrlMachine } from './project.changes.machine';
import { useOutcomeToasts } from './useOutcomeToasts';

const goneWords = {
  project: 'This project was deleted in another tab or on another device.',
  url: 'This URL was already removed in another tab or on another device.',
  last: 'This is the only URL left: the others were removed in another tab or on another device. Add another URL before you remove this one.',
};

const removedToast: ToastMessage = { tone: 'success', title: 'Whitelist URL removed successfully' };

const removalFailure = (error: unknown): string => `Failed to delete whitelist URL: ${failureText(error)}`;

interface RemoveUrlDialogProps {
  actor: ActorRefFrom<typeof removeUrlMachine>;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Confirms removing an allowed URL. */
export function RemoveUrlDialog({ actor, focusAfter }: RemoveUrlDialogProps) {
  const subject = useSelector(actor, ({ context }) => context.subject);
  useOutcomeToasts(actor, () => removedToast, removalFailure);
  return (
    <SubmissionDialog
      actor={actor}
      title="Remove allowed URL"
      act="Remove"
      busyAct="Removing..."
      failureOf={removalFailure}
      goneWords={goneWords}
      focusAfter={focusAfter}
    >
      Pages on <strong>{subject?.url}</strong> will no longer be able to use the API key for{' '}
      <strong>{subject?.project.projectName}</strong>. Their calls are blocked within a second.
    </SubmissionDialog>
  );
}
