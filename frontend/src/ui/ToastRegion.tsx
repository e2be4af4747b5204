import { CheckCircleFilled, CloseCircleFilled, CloseOutlined, InfoCircleFilled } from '@ant-design/icons';
import { limits } from '@orange-id/contract/limits';
import * as Radix from '@radix-ui/react-toast';
import { useEffect, useRef, type CSSProperties } from 'react';
import styles from './toast.module.css';

/** The content of a toast. The tone adds an icon with a label for screen readers. */
export interface ToastMessage {
  title: string;
  description?: string;
  tone?: 'success' | 'error' | 'info';
}

export interface ShownToast extends ToastMessage {
  id: number;
  isOpen: boolean;
}

const icons = {
  success: <CheckCircleFilled className={`${styles.icon} ${styles.iconSuccess}`} aria-label="Success" />,
  error: <CloseCircleFilled className={`${styles.icon} ${styles.iconError}`} aria-label="Error" />,
  info: <InfoCircleFilled className={`${styles.icon} ${styles.iconInfo}`} aria-label="Note" />,
};

/** Renders the one toast: shown for 5000 ms, dismissed by a swipe of 50 px, focused with F8, at most 420 px wide. */
export function ToastRegion({ shown, onClose }: { shown: ShownToast; onClose: (id: number) => void }) {
  const { id, title, description, tone = 'info', isOpen } = shown;
  /** The element focused before the toast region. */
  const before = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (!isOpen && document.activeElement?.closest(`.${styles.viewport}, .${styles.root}`))
      before.current?.focus();
  }, [isOpen]);
  useEffect(() => {
    // An open dialog listens on the window and pulls the focus back. Stopping the event here keeps a toast above it
    // reachable.
    const keepFocus = (event: FocusEvent) => {
      if (!(event.target as Element).closest(`.${styles.viewport}`)) return;
      event.stopPropagation();
      const from = event.relatedTarget as HTMLElement | null;
      if (from && !from.closest(`.${styles.viewport}`)) before.current = from;
    };
    const keepEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && (event.target as Element).closest(`.${styles.viewport}, .${styles.root}`))
        event.stopPropagation();
    };
    document.addEventListener('focusin', keepFocus);
    document.addEventListener('keydown', keepEscape);
    return () => {
      document.removeEventListener('focusin', keepFocus);
      document.removeEventListener('keydown', keepEscape);
    };
  }, []);
  return (
    <Radix.Provider duration={limits.toastMs} swipeThreshold={limits.toastSwipePx} swipeDirection="right">
      <Radix.Root
        key={id}
        className={styles.root}
        data-tone={tone}
        type={tone === 'error' ? 'foreground' : 'background'}
        open={isOpen}
        onOpenChange={(open) => !open && onClose(id)}
      >
        {icons[tone]}
        <div className={styles.text}>
          <Radix.Title className={styles.title}>{title}</Radix.Title>
          {description && <Radix.Description className={styles.description}>{description}</Radix.Description>}
        </div>
        <Radix.Close className={styles.close} aria-label="Close">
          <CloseOutlined />
        </Radix.Close>
      </Radix.Root>
      <Radix.Viewport
        className={styles.viewport}
        hotkey={['F8']}
        style={{ '--toast-max-width': `${limits.toastMaxWidthPx}px` } as CSSProperties}
      />
    </Radix.Provider>
  );
}
