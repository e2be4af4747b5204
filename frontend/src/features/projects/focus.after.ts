import { createRef, type RefObject } from 'react';
import { besideRow } from '../../ui/row.focus';

/**
 * Where the focus goes after a dialog if the button that opened it was removed: the project's heading, else the notice
 * in its place, else the page's heading. `next` looks them up when it is read.
 */
export function createFocusAfter() {
  const heading = createRef<HTMLHeadingElement>();
  const notice = createRef<HTMLDivElement>();
  let title: HTMLElement | null = null;
  let beside: (() => HTMLElement | null) | null = null;
  const page = (head: HTMLElement | null) => {
    title = head?.querySelector('h1') ?? null;
    if (title) title.tabIndex = -1;
  };
  const next: RefObject<HTMLElement | null> = {
    get current() {
      return heading.current ?? notice.current ?? title;
    },
  };
  /** Remembers the row that opens a dialog, and `end`, the element to focus if its list has no other row. */
  const row = (button: HTMLElement, end: HTMLElement | null) => {
    beside = besideRow(button, end);
  };
  const nextRow: RefObject<HTMLElement | null> = {
    get current() {
      const place = beside?.();
      return place?.isConnected ? place : next.current;
    },
  };
  return { heading, notice, page, next, row, nextRow };
}
