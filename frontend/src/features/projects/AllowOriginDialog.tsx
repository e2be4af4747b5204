import { useSelector } from '@xstate/react';
import type { RefObject } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { additionFailure } from './project.sentences';
import type { ProjectDialogs } from './useProjectDialogs';

const endSentences = {
  project: 'This project was deleted in another tab or on another device.',
  url: 'This URL was already added in another tab or on another device.',
};

interface AllowOriginDialogProps {
  actor: ProjectDialogs['allowOrigin'];
  focusAfter: RefObject<HTMLElement | null>;
}

/** Adds a blocked origin to the project's allowed URLs. */
export function AllowOriginDialog({ actor, focusAfter }: AllowOriginDialogProps) {
  const snapshot = useSelector(actor, (current) => current);
  const { allowance, end, failure } = snapshot.context;
  return (
    <div data-machine="allowOrigin" data-state={snapshot.value}>
      <ConfirmDialog
        isOpen={!snapshot.matches('closed') && !snapshot.matches('succeeded')}
        title="Allow this site"
        act="Allow"
        busyAct="Allowing..."
        isDangerous={false}
        isBusy={snapshot.matches('working')}
        failure={failure ? additionFailure(failure) : null}
        gone={end && endSentences[end]}
        focusAfter={focusAfter}
        onConfirm={() => actor.send({ type: 'allowance.confirm' })}
        onCancel={() => actor.send({ type: 'allowance.cancel' })}
      >
        Pages on <strong>{allowance?.url}</strong> will be able to use the API key for{' '}
        <strong>{allowance?.project.projectName}</strong>.
      </ConfirmDialog>
    </div>
  );
}
