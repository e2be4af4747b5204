import { Modal } from 'antd';
import { useId, useRef, type ReactNode, type RefObject } from 'react';

interface DialogProps {
  isOpen: boolean;
  title: string;
  /** In pixels. */
  width: number;
  footer: ReactNode;
  children: ReactNode;
  /** Focuses a control. `autoFocus` doesn't work: it runs before antd stores the element to restore the focus to. */
  onOpened: () => void;
  /** Gets the focus after the dialog closes if its opener no longer exists. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  /** Whether screen readers read the body as soon as the dialog opens, for a body that is a sentence or two. */
  isDescribed?: boolean;
  /** Called after the dialog has closed and restored the focus. */
  onClosed?: (() => void) | undefined;
  /** Called for Escape and a click outside. */
  onCancel: () => void;
}

/**
 * A dialog with the focus on one of its controls from the first moment. antd's own motion is off: antd sets the focus
 * when its animation ends, even if the user has already moved on to another control. ui.css fades the dialog in.
 */
export function Dialog(props: DialogProps) {
  const {
    isOpen,
    title,
    width,
    footer,
    children,
    onOpened,
    focusAfter,
    isDescribed = true,
    onClosed,
    onCancel,
  } = props;
  const bodyId = useId();
  const body = useRef<HTMLDivElement>(null);
  return (
    <Modal
      open={isOpen}
      title={title}
      width={width}
      footer={footer}
      destroyOnHidden
      closable={false}
      transitionName=""
      maskTransitionName=""
      afterOpenChange={(opened) => {
        if (!opened) return;
        const dialog = body.current?.closest('[role=dialog]');
        // antd has no option for the description.
        if (isDescribed) dialog?.setAttribute('aria-describedby', bodyId);
        // antd may call this after the user has pressed a button.
        const { activeElement } = document;
        if (!activeElement?.matches('button') || !dialog?.contains(activeElement)) onOpened();
      }}
      afterClose={() => {
        if (document.activeElement === document.body) focusAfter?.current?.focus();
        onClosed?.();
      }}
      onCancel={onCancel}
    >
      <div ref={body} id={bodyId}>
        {children}
      </div>
    </Modal>
  );
}
