import { LoadingOutlined } from '@ant-design/icons';
import { Alert, Button, Modal, Typography } from 'antd';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { focusLost, focusOpened } from './dialog.focus';

interface ConfirmDialogProps {
  isOpen: boolean;
  /** Begins with a verb. */
  title: string;
  /** What will happen, in one sentence. */
  children: ReactNode;
  /** The act, as the dangerous button names it, and while it is under way. */
  act: string;
  busyAct: string;
  isBusy: boolean;
  /** False where the act can be taken back. */
  isDangerous?: boolean;
  /** Why the act failed; it can be tried again. */
  failure?: string | null;
  /** What it was about is gone: this is said in place of everything else, and closing is all there is to do. */
  gone?: string | null;
  /** Takes the focus after the dialog when what opened it is gone. */
  focusAfter?: RefObject<HTMLElement | null>;
  /** Called once it has closed and given the focus back. */
  onClosed?: () => void;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before an act: the focus is on Cancel, and Escape cancels. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, act, busyAct, isBusy, failure, gone, focusAfter } = props;
  const { isDangerous = true, onClosed, onConfirm, onCancel } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button lost the focus when it was disabled for the attempt.
    if (failure && !isBusy) confirm.current?.focus();
  }, [failure, isBusy]);
  return (
    <Modal
      open={isOpen}
      title={title}
      width={440}
      destroyOnHidden
      closable={false}
      // Not by autoFocus: without motion that is before antd has noted where to give the focus back to.
      afterOpenChange={(opened) => opened && focusOpened(cancel.current)}
      afterClose={() => {
        focusLost(focusAfter);
        onClosed?.();
      }}
      onCancel={onCancel}
      footer={
        gone ? (
          <Button key="close" autoFocus onClick={onCancel}>
            Close
          </Button>
        ) : (
          <>
            <Button ref={cancel} disabled={isBusy} onClick={onCancel}>
              Cancel
            </Button>
            <Button
              ref={confirm}
              type="primary"
              danger={isDangerous}
              disabled={isBusy}
              icon={isBusy && <LoadingOutlined aria-hidden />}
              onClick={onConfirm}
            >
              {isBusy ? busyAct : act}
            </Button>
          </>
        )
      }
    >
      {gone ? (
        <Alert type="info" showIcon role="alert" title={gone} />
      ) : (
        <>
          <Typography.Paragraph>{children}</Typography.Paragraph>
          {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        </>
      )}
    </Modal>
  );
}
