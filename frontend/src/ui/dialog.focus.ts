import type { RefObject } from 'react';

/** Gives the focus to `next` when nothing has it, as after a dialog whose opener is gone. */
export function focusLost(next: RefObject<HTMLElement | null> | undefined): void {
  if (document.activeElement === document.body) next?.current?.focus();
}

/** Gives the focus to `first` of a dialog that has just opened, unless somebody quick has gone on to another button. */
export function focusOpened(first: HTMLElement | null): void {
  const { activeElement } = document;
  const isFurther =
    activeElement?.matches('button') && first?.closest('[role=dialog]')?.contains(activeElement);
  if (!isFurther) first?.focus();
}
