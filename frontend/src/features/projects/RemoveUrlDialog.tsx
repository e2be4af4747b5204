import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { removalFailure } from './project.sentences';
import type { ProjectDialogs } from './useProjectDialogs';

const goneSentences = {
  project: 'This project was deleted elsewhere, and its whitelist with it.',
  url: 'This URL was removed elsewhere already.',
};

interface RemoveUrlDialogProps {
  actor: ProjectDialogs['removeUrl'];
  focusAfter: RefObject<HTMLElement | null>;
}

/** Remove whitelist URL (spec §4). */
export function RemoveUrlDialog({ actor, focusAfter }: RemoveUrlDialogProps) {
  const snapshot = useSelector(actor, (current) => current);
  const { removal, vanished, failure } = snapshot.context;
  return (
    <div data-machine="removeUrl" data-state={snapshot.value}>
      <ConfirmDialog
        isOpen={!snapshot.matches('closed') && !snapshot.matches('succeeded')}
        title="Remove whitelist URL"
        act="Remove"
        busyAct="Removing..."
        isBusy={snapshot.matches('working')}
        failure={failure ? removalFailure(failure) : null}
        gone={vanished && goneSentences[vanished]}
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
