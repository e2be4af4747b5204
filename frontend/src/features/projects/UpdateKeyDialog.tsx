import { LoadingOutlined } from '@ant-design/icons';
import { useSelector } from '@xstate/react';
import { Alert, Button, Flex } from 'antd';
import { useEffect, useRef, type RefObject } from 'react';
import { useBlocker } from 'react-router-dom';
import type { ActorRefFrom } from 'xstate';
import { readAccessToken } from '../../api/token.storage';
import { stateName } from '../../inspect/machine.inspect';
import { CopyValue } from '../../ui/CopyValue';
import { Dialog } from '../../ui/Dialog';
import { keyFailure } from './project.text';
import type { updateKeyMachine } from './update.key.machine';

const outdatedSentences = {
  replaced:
    'This key was replaced in another tab or on another device and no longer works. The project shows the current one.',
  deleted: 'This project was deleted in another tab or on another device, and this key no longer works.',
};

interface UpdateKeyDialogProps {
  actor: ActorRefFrom<typeof updateKeyMachine>;
  focusAfter: RefObject<HTMLElement | null>;
}

/**
 * Replaces the API key after a warning, then shows the new key. Until the key is copied or outdated, the dialog asks
 * before it closes by Escape, a click outside or navigation.
 */
export function UpdateKeyDialog({ actor, focusAfter }: UpdateKeyDialogProps) {
  const snapshot = useSelector(actor, (current) => current);
  const { project, newKey, isCopied, outdated, failure } = snapshot.context;
  const isBusy = snapshot.hasTag('busy');
  const isGone = snapshot.hasTag('gone');
  const isShown = snapshot.can({ type: 'key.dismiss' });
  const isAsking = snapshot.can({ type: 'key.keep' });
  const keyBox = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);

  // Without a session the page redirects to sign-in, which must not be blocked even if a new key shows.
  const mustStay = isBusy || (isShown && !isCopied && !outdated);
  const blocker = useBlocker(() => mustStay && readAccessToken() !== null);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (isBusy) blocker.reset();
    else if (!isAsking) actor.send({ type: 'dialog.leave' });
    // Only when the navigation becomes blocked.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [blocker.state]);
  useEffect(() => {
    if (!mustStay) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [mustStay]);

  useEffect(() => {
    if (isShown && !isAsking) keyBox.current?.focus();
  }, [isShown, isAsking]);
  useEffect(() => {
    // The button lost the focus when it was disabled during the request.
    if (failure && !isBusy) confirm.current?.focus();
  }, [failure, isBusy]);

  const keep = () => {
    if (blocker.state === 'blocked') blocker.reset();
    actor.send({ type: 'key.keep' });
  };
  const dismiss = () => {
    actor.send({ type: 'key.dismiss' });
    if (blocker.state === 'blocked') blocker.proceed();
  };
  const onCancel = () => {
    if (isAsking) keep();
    else actor.send({ type: isShown ? 'dialog.leave' : 'update.cancel' });
  };
  const copied = () => {
    if (blocker.state === 'blocked') blocker.reset();
    actor.send({ type: 'key.copied' });
  };
  const name = <strong>{project?.projectName}</strong>;

  return (
    <div data-machine="updateKey" data-state={stateName(snapshot.value)}>
      <Dialog
        isOpen={!snapshot.can({ type: 'key.update', project })}
        title={isShown ? 'New API key' : 'Update API key'}
        width={560}
        onOpened={() => cancel.current?.focus()}
        focusAfter={focusAfter}
        onCancel={onCancel}
        footer={
          isGone ? (
            <Button key="close" autoFocus onClick={onCancel}>
              Close
            </Button>
          ) : isAsking ? (
            <Flex wrap gap={8} justify="flex-end">
              <Button onClick={dismiss}>Close without copying</Button>
              <Button autoFocus type="primary" onClick={keep}>
                Keep it open
              </Button>
            </Flex>
          ) : isShown ? (
            <Button key="done" type="primary" onClick={dismiss}>
              Done
            </Button>
          ) : (
            <>
              <Button ref={cancel} disabled={isBusy} onClick={onCancel}>
                Cancel
              </Button>
              <Button
                ref={confirm}
                type="primary"
                danger
                disabled={isBusy}
                icon={isBusy && <LoadingOutlined aria-hidden />}
                onClick={() => actor.send({ type: 'update.confirm' })}
              >
                Generate New Key
              </Button>
            </>
          )
        }
      >
        {isGone ? (
          <Alert
            type="info"
            showIcon
            role="alert"
            title="This project was deleted in another tab or on another device, and its key no longer works."
          />
        ) : isShown ? (
          <Flex
            vertical
            gap={12}
            ref={keyBox}
            tabIndex={-1}
            role="group"
            aria-label="New API key"
            onCopy={() => newKey && document.getSelection()?.toString().includes(newKey) && copied()}
          >
            {outdated ? (
              <Alert type="warning" showIcon role="alert" title={outdatedSentences[outdated]} />
            ) : (
              <p>{name} has a new API key. The old one no longer works, so replace it wherever you use it.</p>
            )}
            <CopyValue value={newKey ?? ''} label="new API key" onCopied={copied} />
            {(isAsking || !outdated) && (
              <Alert
                type={isAsking ? 'warning' : 'info'}
                showIcon
                role={isAsking ? 'alert' : 'note'}
                title={
                  isAsking
                    ? 'You haven’t copied the new key yet. You can still reveal it in My Projects. Close anyway?'
                    : 'You can reveal it in My Projects at any time.'
                }
              />
            )}
          </Flex>
        ) : (
          <Flex vertical gap={12}>
            <p>This generates a new API key for {name}.</p>
            <Alert
              type="warning"
              showIcon
              role="note"
              title="The old key stops working within a second. You can’t restore it."
            />
            {failure !== null && <Alert type="error" showIcon role="alert" title={keyFailure(failure)} />}
          </Flex>
        )}
      </Dialog>
    </div>
  );
}
