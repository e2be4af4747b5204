import type { RefObject } from 'react';

/** Gives the focus to `next` when nothing has it, as after a dialog whose opener is gone. */
export function focusLost(next: RefObject<HTMLElement | null> | undefined): void {
  if (document.activeElement === document.body) next?.current?.focus();
}

/** Whether the focus has moved on to a button of the dialog around `first`. */
export function hasMovedOn(first: HTMLElement | null | undefined): boolean {
  const { activeElement } = document;
  const dialog = first?.closest('[role=dialog]');
  return activeElement?.matches('button') === true && dialog?.contains(activeElement) === true;
}

/**
 * Gives the focus to `first` of a dialog that has just opened, unless the focus has moved on to another button. The
 * dialog's words describe it, so that what the act does is read out with it; antd lets nobody name them.
 */
export function focusOpened(first: HTMLElement | null): void {
  const dialog = first?.closest('[role=dialog]');
  const words = dialog?.querySelector('.ant-modal-body');
  if (dialog && words) {
    words.id = `${dialog.getAttribute('aria-labelledby')}-words`;
    dialog.setAttribute('aria-describedby', words.id);
  }
  if (!hasMovedOn(first)) first?.focus();
}
