import { afterEach, expect } from '@jest/globals';
import { appRoutes } from '@orange-id/contract/app.routes';

const reloads: string[] = [];
const isRouted = (link: HTMLAnchorElement) =>
  link.origin === window.location.origin && link.pathname in appRoutes && !link.target;
// React handles events at its root, below the window.
window.addEventListener('click', ({ target, defaultPrevented }) => {
  const link = target instanceof Element && target.closest('a');
  if (link && link.href !== '' && isRouted(link) && !defaultPrevented) reloads.push(`link to ${link.href}`);
});
window.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (!defaultPrevented) reloads.push(`form ${(target as HTMLFormElement).getAttribute('aria-label') ?? ''}`);
});

/** The elements that a name or description refers to and that the page lacks. antd generates ids for its dialogs' titles. */
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
 * What holds for every page, whatever a test does with it: each name and description that it takes from another element
 * has that element, and no link or form of the portal reloads it. Imported before Testing Library, whose own hook
 * removes the page.
 */
afterEach(() => {
  expect(missing()).toEqual([]);
  expect(reloads.splice(0)).toEqual([]);
});
