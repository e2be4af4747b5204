import { LoadingOutlined } from '@ant-design/icons';
import { Alert, Button, Typography } from 'antd';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Dialog } from './Dialog';

interface ConfirmDialogProps {
  isOpen: boolean;
  /** Starts with a verb. */
  title: string;
  /** The consequence, in one sentence. */
  children: ReactNode;
  /** The label of the confirm button, and its label while busy. */
  act: string;
  busyAct: string;
  isBusy: boolean;
  /** False if the action can be undone. */
  isDangerous?: boolean;
  /** Why the action failed; the user can try again. */
  failure?: string | null;
  /** Replaces all other content when the subject no longer exists; the dialog can then only be closed. */
  gone?: string | null;
  /** Gets the focus when the dialog opens, instead of Cancel. */
  firstFocus?: RefObject<{ focus: () => void } | null>;
  /** The body is a form: wider, and not read as a whole when the dialog opens. */
  isForm?: boolean;
  /** Gets the focus after the dialog closes if its opener no longer exists. */
  focusAfter?: RefObject<HTMLElement | null>;
  /** Called after the dialog has closed and restored the focus. */
  onClosed?: () => void;
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * Asks the user to confirm an action or to enter its details. The focus starts on Cancel by default. Escape cancels.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, act, busyAct, isBusy, failure, gone, focusAfter } = props;
  const { isDangerous = true, isForm = false, firstFocus, onClosed, onConfirm, onCancel } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Disabling the button during the attempt removed its focus.
    if (failure && !isBusy) confirm.current?.focus();
  }, [failure, isBusy]);
  return (
    <Dialog
      isOpen={isOpen}
      title={title}
      width={isForm ? 480 : 440}
      isDescribed={!isForm}
      onOpened={() => (firstFocus?.current ?? cancel.current)?.focus()}
      focusAfter={focusAfter}
      onClosed={onClosed}
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
          {isForm ? children : <Typography.Paragraph>{children}</Typography.Paragraph>}
          {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        </>
      )}
    </Dialog>
  );
}
