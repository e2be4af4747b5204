import { afterEach, expect } from '@jest/globals';

/**
 * After every test, each name and description that the page takes from another element has that element. Imported
 * before Testing Library, whose own hook removes the page. antd's dialogs, with generated ids, are not checked.
 */
afterEach(() => {
  const missing = [...document.querySelectorAll('[aria-labelledby], [aria-describedby]')].flatMap((element) =>
    ['aria-labelledby', 'aria-describedby'].flatMap((attribute) =>
      (element.getAttribute(attribute) ?? '')
        .split(/\s+/)
        .filter((id) => id !== '' && !id.startsWith('_r_') && document.getElementById(id) === null)
        .map((id) => `${attribute}="${id}"`),
    ),
  );
  expect(missing).toEqual([]);
});
