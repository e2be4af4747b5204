import { CloseOutlined } from '@ant-design/icons';
import { useEffect, useId, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { LightButton } from '../ui/LightButton';

interface DialogProps {
  title: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  className: string;
  children: ReactNode;
}

/**
 * The browser's own modal dialog: it keeps the focus inside and gives it back, makes the page behind inert, and closes
 * by Escape. What is in it is drawn from the first opening on, so that it can be seen leaving.
 */
export function Dialog({ title, isOpen, onClose, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);

  useEffect(() => {
    if (isOpen && !dialog.current?.open) {
      dialog.current?.showModal();
      // The browser would take a part that scrolls for the first.
      dialog.current?.querySelector<HTMLElement>('a[href], button')?.focus();
    }
    if (!isOpen && dialog.current?.open) dialog.current.close();
  }, [isOpen]);

  // Only what lies around the dialog's own content is the dialog itself.
  const onClick = ({ target, currentTarget }: MouseEvent) => target === currentTarget && onClose();

  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser may close it without asking first.
      onClose={onClose}
      onClick={onClick}
    >
      {wasOpened && (
        <div className="dialog-inside">
          <h2 id={titleId} className="dialog-title">
            {title}
          </h2>
          {children}
          {/* Last, so that the focus begins with what the dialog is for. */}
          <LightButton
            type="text"
            className="dialog-close"
            icon={<CloseOutlined />}
            aria-label="Close"
            onClick={onClose}
          />
        </div>
      )}
    </dialog>
  );
}
