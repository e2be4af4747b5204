import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { replaceBlockedStorage } from '../api/blocked.storage';
import { openPortal } from '../testing/open.portal';

const names = ['localStorage', 'sessionStorage'] as const;
const own = names.map((name) => Object.getOwnPropertyDescriptor(window, name));

beforeEach(() => {
  for (const name of names)
    Object.defineProperty(window, name, {
      configurable: true,
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  replaceBlockedStorage(window);
});
afterEach(() => {
  names.forEach((name, place) => {
    if (own[place]) Object.defineProperty(window, name, own[place]);
    else delete (window as Partial<Window>)[name];
  });
  delete document.documentElement.dataset['storage'];
});

test('public pages work in a browser that blocks site data', async () => {
  const { user } = openPortal('/', { as: 'visitor' });
  await user.click(await screen.findByRole('button', { name: 'API access' }));
  expect(screen.getByRole('button', { name: 'Switch to dark theme Switch to light theme' })).toBeEnabled();
});

test.each(['/login', '/usage'])('%s says what to allow in a browser that blocks site data', async (path) => {
  const { address } = openPortal(path, { as: 'visitor' });
  const warning = await screen.findByText('Your browser blocks site data for localhost');
  expect(warning.closest('[role=alert]')).toHaveTextContent(
    'Allow cookies and site data for this site in your browser’s settings, and reload the page.',
  );
  expect(address()).toBe('/login');
});
