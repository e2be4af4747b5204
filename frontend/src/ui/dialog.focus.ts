import type { RefObject } from 'react';

/** Gives the focus to `next` when nothing has it, as after a dialog whose opener is gone. */
export function focusLost(next: RefObject<HTMLElement | null> | undefined): void {
  if (document.activeElement === document.body) next?.current?.focus();
}

/**
 * Gives the focus to `first` of a dialog that has just opened, unless somebody quick has gone on to another button. The
 * dialog's words describe it, so that what the act does is read out with it; antd lets nobody name them.
 */
export function focusOpened(first: HTMLElement | null): void {
  const { activeElement } = document;
  const dialog = first?.closest('[role=dialog]');
  const words = dialog?.querySelector('.ant-modal-body');
  if (dialog && words) {
    words.id = `${dialog.getAttribute('aria-labelledby')}-words`;
    dialog.setAttribute('aria-describedby', words.id);
  }
  const isFurther = activeElement?.matches('button') && dialog?.contains(activeElement);
  if (!isFurther) first?.focus();
}
