import { storageKeys } from '@orange-id/contract/storage.keys';

/** On narrower screens an open sidebar takes too much space to start with. */
const wideQuery = '(min-width: 1200px)';

/** Whether the sidebar starts expanded: the user left it open and the screen is wide. False on the server. */
export const startsOpen = (): boolean =>
  typeof window !== 'undefined' &&
  window.localStorage.getItem(storageKeys.sidebar) === 'open' &&
  window.matchMedia(wideQuery).matches;

export function keepSidebar({ isOpen }: { isOpen: boolean }): void {
  if (isOpen) window.localStorage.setItem(storageKeys.sidebar, 'open');
  else window.localStorage.removeItem(storageKeys.sidebar);
}
