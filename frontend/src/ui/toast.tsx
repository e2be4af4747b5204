import { CheckCircleFilled, CloseCircleFilled, CloseOutlined, InfoCircleFilled } from '@ant-design/icons';
import { limits } from '@orange-id/contract/limits';
import * as Radix from '@radix-ui/react-toast';
import { createContext, useContext, useState, type CSSProperties, type ReactNode } from 'react';
import './toast.css';

/** What a toast says. The tone also carries an icon and, for screen readers, a word. */
export interface ToastMessage {
  title: string;
  description?: string;
  tone?: 'success' | 'error' | 'info';
}

type ShowToast = (message: ToastMessage) => void;

const ToastContext = createContext<{ show: ShowToast; dismissError: () => void }>({
  show: () => undefined,
  dismissError: () => undefined,
});

/** Shows a toast; a newer one takes the place of the one before (spec §9: one visible at a time). */
export const useToast = (): ShowToast => useContext(ToastContext).show;

/** Takes away a visible error that no longer holds, such as the last attempt's once the next one is under way. */
export const useErrorDismissal = (): (() => void) => useContext(ToastContext).dismissError;

const icons = {
  success: <CheckCircleFilled className="toast-icon toast-icon-success" aria-label="Success" />,
  error: <CloseCircleFilled className="toast-icon toast-icon-error" aria-label="Error" />,
  info: <InfoCircleFilled className="toast-icon toast-icon-info" aria-label="Note" />,
};

/** Holds the one visible toast: 5000 ms, swipe of 50 px dismisses, F8 focuses the region, at most 420 px wide. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<(ToastMessage & { id: number; isOpen: boolean }) | null>(null);
  const [toasts] = useState(() => ({
    show: (message: ToastMessage) =>
      setShown((before) => ({ ...message, id: (before?.id ?? 0) + 1, isOpen: true })),
    dismissError: () =>
      setShown((before) =>
        before?.tone === 'error' && before.isOpen ? { ...before, isOpen: false } : before,
      ),
  }));
  const close = (id: number) =>
    setShown((before) => (before?.id === id ? { ...before, isOpen: false } : before));

  return (
    <ToastContext.Provider value={toasts}>
      <Radix.Provider duration={limits.toastMs} swipeThreshold={limits.toastSwipePx} swipeDirection="right">
        {children}
        {shown && (
          <Radix.Root
            key={shown.id}
            className="toast"
            data-tone={shown.tone ?? 'info'}
            type={shown.tone === 'error' ? 'foreground' : 'background'}
            open={shown.isOpen}
            onOpenChange={(open) => !open && close(shown.id)}
          >
            {icons[shown.tone ?? 'info']}
            <div className="toast-text">
              <Radix.Title className="toast-title">{shown.title}</Radix.Title>
              {shown.description && (
                <Radix.Description className="toast-description">{shown.description}</Radix.Description>
              )}
            </div>
            <Radix.Close className="toast-close" aria-label="Close">
              <CloseOutlined />
            </Radix.Close>
          </Radix.Root>
        )}
        <Radix.Viewport
          className="toast-viewport"
          hotkey={['F8']}
          style={{ '--toast-max-width': `${limits.toastMaxWidthPx}px` } as CSSProperties}
        />
      </Radix.Provider>
    </ToastContext.Provider>
  );
}
