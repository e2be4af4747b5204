import type { RefObject } from 'react';

/** Gives the focus to `next` when nothing has it, as after a dialog whose opener is gone. */
export function focusLost(next: RefObject<HTMLElement | null> | undefined): void {
  if (document.activeElement === document.body) next?.current?.focus();
}
