import { expect } from '@jest/globals';
import { waitFor } from '@testing-library/react';

/** The text of each part of the toasts that a test has shown and not yet expected, oldest first. */
const shown: { title: string; description: string }[] = [];

/**
 * Notes every toast as it appears, because one closes by itself while a test on a busy machine still waits for the
 * page. It reads the toast itself: a copy for screen readers is in the page for a moment.
 */
const observer = new MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
  for (const node of added) {
    if (!(node instanceof Element)) continue;
    for (const toast of [node, ...node.querySelectorAll('*')].filter((each) => each.matches('.toast_root'))) {
      const text = (part: string) => toast.querySelector(part)?.textContent ?? '';
      shown.push({ title: text('.toast_title'), description: text('.toast_description') });
    }
  }
});

export const watchToasts = (): void => observer.observe(document, { childList: true, subtree: true });

/** Forgets the toasts of a test that has ended. */
export const forgetToasts = (): void => {
  observer.takeRecords();
  shown.length = 0;
};

/** Waits until a toast with this text has appeared; each one counts once, and those before it no longer count. */
export const expectToast = (title: string, description = '') =>
  waitFor(() => {
    const at = shown.findIndex(
      (toast) => toast.title.includes(title) && toast.description.includes(description),
    );
    if (at < 0) expect(shown).toContainEqual({ title, description });
    shown.splice(0, at + 1);
  });
