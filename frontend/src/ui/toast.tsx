import { limits } from '@orange-id/contract/limits';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { onDemand } from './on.demand';
import type { ShownToast, ToastMessage } from './ToastRegion';

export type { ToastMessage };

type ShowToast = (message: ToastMessage) => void;

const ToastContext = createContext<{ show: ShowToast; dismiss: () => void }>({
  show: () => undefined,
  dismiss: () => undefined,
});

/** Shows a toast; a new one replaces the previous one. */
export const useToast = (): ShowToast => useContext(ToastContext).show;

/** Closes a visible toast that no longer matters, such as one of a previous step. */
export const useToastDismissal = (): (() => void) => useContext(ToastContext).dismiss;

const region = onDemand(async () => (await import('./ToastRegion')).ToastRegion);

/** Preloads the toast's code, so that one can show without a network. After a failure the first toast tries again. */
export const fetchToastsAhead = (): void => void region.fetch().catch(() => undefined);

/** Holds the one visible toast; its code loads with the first toast. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [toasts] = useState(() => ({
    show: (message: ToastMessage) => {
      region.fetch().then(
        () => setFailed(false),
        () => setFailed(true),
      );
      setShown((before) => ({ ...message, id: (before?.id ?? 0) + 1, isOpen: true }));
    },
    dismiss: () => setShown((before) => (before?.isOpen ? { ...before, isOpen: false } : before)),
  }));
  const isThere = region.useIsThere();
  const close = (id: number) =>
    setShown((before) => (before?.id === id ? { ...before, isOpen: false } : before));

  return (
    <ToastContext.Provider value={toasts}>
      {children}
      {shown && <region.Part shown={shown} onClose={close} />}
      {shown && !isThere && hasFailed && <PlainToast key={shown.id} {...shown} />}
    </ToastContext.Provider>
  );
}

/** The plain text of a toast, for the same time, if the toast's code failed to load. */
function PlainToast({ title, description, isOpen }: ShownToast) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), limits.toastMs);
    return () => clearTimeout(timer);
  }, []);
  if (isOver || !isOpen) return null;
  return (
    <p role="alert" className="toast-plain">
      {description ? `${title}: ${description}` : title}
    </p>
  );
}
