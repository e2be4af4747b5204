import { createRef, type RefObject } from 'react';
import { besideRow } from '../../ui/row.focus';

/**
 * Where the focus goes after a dialog when what opened it is gone: to the project's heading, without one to what stands
 * in its place, else to the page's heading. What is on the page counts at the time `next` is asked.
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
  /** Notes the row that a dialog is opened for, and `end`, the last resort of its list. */
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
