import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { removalFailure } from './project.text';
import type { ProjectDialogs } from './useProjectDialogs';

const goneWords = {
  project: 'This project was deleted in another tab or on another device.',
  url: 'This URL was already removed in another tab or on another device.',
  last: 'This is the only URL left: the others were removed in another tab or on another device. Add another URL before you remove this one.',
};

interface RemoveUrlDialogProps {
  actor: ProjectDialogs['removeUrl'];
  focusAfter: RefObject<HTMLElement | null>;
}

/** Confirms removing an allowed URL. */
export function RemoveUrlDialog({ actor, focusAfter }: RemoveUrlDialogProps) {
  const subject = useSelector(actor, ({ context }) => context.subject);
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
