import { CloseOutlined } from '@ant-design/icons';
import { useEffect, useId, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { LightButton } from '../ui/LightButton';
import styles from './light-dialog.module.css';

interface LightDialogProps {
  title: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  className: string | undefined;
  children: ReactNode;
}

/**
 * The browser's modal dialog: it traps and restores the focus, makes the page behind it inert, and closes with Escape.
 * Its content renders from the first opening on and stays, so that the closing animation can show it.
 */
export function LightDialog({ title, isOpen, onClose, className, children }: LightDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);

  useEffect(() => {
    if (isOpen && !dialog.current?.open) {
      dialog.current?.showModal();
      // Otherwise the browser would focus a scrollable area first.
      dialog.current?.querySelector<HTMLElement>('input, a[href], button')?.focus();
    }
    if (!isOpen && dialog.current?.open) dialog.current.close();
  }, [isOpen]);

  // The target is the dialog element itself only for clicks outside its content, including the backdrop.
  const onClick = ({ target, currentTarget }: MouseEvent) => target === currentTarget && onClose();

  return (
    <dialog
      ref={dialog}
      className={`${styles.root} ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser may close the dialog without a cancel event.
      onClose={onClose}
      onClick={onClick}
    >
      {wasOpened && (
        <div className={styles.inside}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {children}
          {/* Last in the DOM, so that the focus starts at the dialog's main control. */}
          <LightButton
            type="text"
            className={styles.close}
            icon={<CloseOutlined />}
            aria-label="Close"
            onClick={onClose}
          />
        </div>
      )}
    </dialog>
  );
}
