import { expect, test } from '@jest/globals';
import { createFocusAfter } from './focus.after';

test('the focus goes to the heading, else to the notice, else to the title, whichever is on the page at that moment', () => {
  const { heading, notice, page, next } = createFocusAfter();
  expect(next.current).toBeNull();
  const title = { tabIndex: 0 };
  const querySelector = (wanted: string) => (wanted === 'h1' ? title : null);
  page({ querySelector } as unknown as HTMLElement);
  expect(next.current).toBe(title);
  expect(title.tabIndex).toBe(-1);
  notice.current = { title: 'notice' } as HTMLDivElement;
  expect(next.current).toBe(notice.current);
  heading.current = { title: 'heading' } as HTMLHeadingElement;
  expect(next.current).toBe(heading.current);
  heading.current = null;
  expect(next.current).toBe(notice.current);
});
