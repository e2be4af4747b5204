import { LoadingOutlined } from '@ant-design/icons';
import { Alert, Modal, Typography } from 'antd';
import type { ReactNode, RefObject } from 'react';

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
  /** Why the act failed; it can be tried again. */
  failure?: string | null;
  /** Takes the focus after the dialog when what opened it is gone. */
  focusAfter?: RefObject<HTMLElement | null>;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that cannot be taken back: the focus is on Cancel, and Escape cancels. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, act, busyAct, isBusy, failure, focusAfter, onConfirm, onCancel } = props;
  return (
    <Modal
      open={isOpen}
      title={title}
      width={440}
      destroyOnHidden
      closable={false}
      afterClose={() => {
        if (document.activeElement === document.body) focusAfter?.current?.focus();
      }}
      onCancel={onCancel}
      onOk={onConfirm}
      okText={isBusy ? busyAct : act}
      okButtonProps={{ danger: true, disabled: isBusy, icon: isBusy && <LoadingOutlined aria-hidden /> }}
      cancelButtonProps={{ autoFocus: true, disabled: isBusy }}
    >
      <Typography.Paragraph>{children}</Typography.Paragraph>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
    </Modal>
  );
}
