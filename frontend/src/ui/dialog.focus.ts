import type { RefObject } from 'react';

/** Focuses `next` if nothing has the focus, as after a dialog whose opener no longer exists. */
export function focusLost(next: RefObject<HTMLElement | null> | undefined): void {
  if (document.activeElement === document.body) next?.current?.focus();
}

/** Whether the focus is on another button of the dialog around `first`. */
export function hasMovedOn(first: HTMLElement | null | undefined): boolean {
  const { activeElement } = document;
  const dialog = first?.closest('[role=dialog]');
  return activeElement?.matches('button') === true && dialog?.contains(activeElement) === true;
}

/**
 * Focuses `first` in a dialog that has just opened, unless another of its buttons has the focus. Sets the dialog's body
 * as its description, so that screen readers read the consequence too; antd has no option for that.
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
