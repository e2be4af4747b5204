import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import type { ActorRefFrom } from 'xstate';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { allowOriginMachine } from './project.changes.machine';
import { additionFailure, urlsAddedToast } from './project.text';
import { useOutcomeToasts } from './useOutcomeToasts';

const goneWords = {
  project: 'This project was deleted in another tab or on another device.',
  url: 'This URL was already added in another tab or on another device.',
};

interface AllowOriginDialogProps {
  actor: ActorRefFrom<typeof allowOriginMachine>;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Adds a blocked origin to the project's allowed URLs. */
export function AllowOriginDialog({ actor, focusAfter }: AllowOriginDialogProps) {
  const subject = useSelector(actor, ({ context }) => context.subject);
  useOutcomeToasts(actor, () => urlsAddedToast, additionFailure);
  return (
    <SubmissionDialog
      actor={actor}
      title="Allow this site"
      act="Allow"
      busyAct="Allowing..."
      isDangerous={false}
      failureOf={additionFailure}
      goneWords={goneWords}
      focusAfter={focusAfter}
    >
      Pages on <strong>{subject?.url}</strong> will be able to use the API key for{' '}
      <strong>{subject?.project.projectName}</strong> and to sign people in. Anybody can cause an entry in
      this list, so allow only a site that is yours.
    </SubmissionDialog>
  );
}
