import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { removalFailure } from './project.sentences';
import type { RemovalEnd } from './remove.url.machine';
import type { ProjectDialogs } from './useProjectDialogs';

const endSentences: Record<RemovalEnd, string> = {
  project: 'This project was deleted elsewhere, and its whitelist with it.',
  url: 'This URL was removed elsewhere already.',
  last: 'This is the only URL left, since the others were removed elsewhere. Add another one before you remove it.',
};

interface RemoveUrlDialogProps {
  actor: ProjectDialogs['removeUrl'];
  focusAfter: RefObject<HTMLElement | null>;
}

/** Remove whitelist URL (spec §4). */
export function RemoveUrlDialog({ actor, focusAfter }: RemoveUrlDialogProps) {
  const snapshot = useSelector(actor, (current) => current);
  const { removal, end, failure } = snapshot.context;
  return (
    <div data-machine="removeUrl" data-state={snapshot.value}>
      <ConfirmDialog
        isOpen={!snapshot.matches('closed') && !snapshot.matches('succeeded')}
        title="Remove whitelist URL"
        act="Remove"
        busyAct="Removing..."
        isBusy={snapshot.matches('working')}
        failure={failure ? removalFailure(failure) : null}
        gone={end && endSentences[end]}
        focusAfter={focusAfter}
        onConfirm={() => actor.send({ type: 'removal.confirm' })}
        onCancel={() => actor.send({ type: 'removal.cancel' })}
      >
        Pages of <strong>{removal?.url}</strong> may no longer use the key of{' '}
        <strong>{removal?.project.projectName}</strong>; their calls are refused within a second.
      </ConfirmDialog>
    </div>
  );
}
