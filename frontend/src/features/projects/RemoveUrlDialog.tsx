import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { removalFailure } from './project.sentences';
import type { RemovalEnd } from './remove.url.machine';
import type { ProjectDialogs } from './useProjectDialogs';

const endSentences: Record<RemovalEnd, string> = {
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
  const snapshot = useSelector(actor, (current) => current);
  const { removal, end, failure } = snapshot.context;
  return (
    <div data-machine="removeUrl" data-state={snapshot.value}>
      <ConfirmDialog
        isOpen={!snapshot.matches('closed') && !snapshot.matches('succeeded')}
        title="Remove allowed URL"
        act="Remove"
        busyAct="Removing..."
        isBusy={snapshot.matches('working')}
        failure={failure ? removalFailure(failure) : null}
        gone={end && endSentences[end]}
        focusAfter={focusAfter}
        onConfirm={() => actor.send({ type: 'removal.confirm' })}
        onCancel={() => actor.send({ type: 'removal.cancel' })}
      >
        Pages on <strong>{removal?.url}</strong> will no longer be able to use the API key for{' '}
        <strong>{removal?.project.projectName}</strong>. Their calls are blocked within a second.
      </ConfirmDialog>
    </div>
  );
}
