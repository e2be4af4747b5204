import { afterEach, expect } from '@jest/globals';
import { appPageAt } from '@orange-id/contract/app.routes';

const reloads: string[] = [];
const isRouted = (link: HTMLAnchorElement) =>
  link.origin === window.location.origin && appPageAt(link.pathname) !== undefined && !link.target;
// React handles events at its root, below the window.
window.addEventListener('click', ({ target, defaultPrevented }) => {
  const link = target instanceof Element && target.closest('a');
  if (link && link.href !== '' && isRouted(link) && !defaultPrevented) reloads.push(`link to ${link.href}`);
});
window.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (!defaultPrevented) reloads.push(`form ${(target as HTMLFormElement).getAttribute('aria-label') ?? ''}`);
});

/** References to elements that the page lacks. Ids that start with `_r_` are antd's, for the titles of its dialogs. */
const missing = () =>
  [...document.querySelectorAll('[aria-labelledby], [aria-describedby]')].flatMap((element) =>
    ['aria-labelledby', 'aria-describedby'].flatMap((attribute) =>
      (element.getAttribute(attribute) ?? '')
        .split(/\s+/)
        .filter((id) => id !== '' && !id.startsWith('_r_') && document.getElementById(id) === null)
        .map((id) => `${attribute}="${id}"`),
    ),
  );

/**
 * After every test: each `aria-labelledby` and `aria-describedby` refers to an element of the page, and no link or form
 * of the portal has reloaded it. Imported before Testing Library, whose own hook removes the page.
 */
afterEach(() => {
  expect({ missing: missing(), reloads: reloads.splice(0) }).toEqual({ missing: [], reloads: [] });
});
