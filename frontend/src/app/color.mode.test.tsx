import { afterEach, expect, test } from '@jest/globals';
import { chooseColorMode, readColorMode, showColorMode, subscribeColorMode } from './color.mode';

afterEach(() => void (document.cookie = 'portal-theme=; Path=/; Max-Age=0'));

test('a theme that differs from the system’s is stored in a cookie for the server, until the system’s is chosen again', () => {
  const stop = subscribeColorMode(() => showColorMode(readColorMode()));
  chooseColorMode('dark');
  expect(document.cookie).toBe('portal-theme=dark');
  chooseColorMode('light');
  expect(document.cookie).toBe('');
  stop();
});

test('a theme stored before the cookie existed is copied to the cookie when the portal opens', () => {
  localStorage.setItem('portal-theme', 'dark');
  showColorMode(readColorMode());
  expect(document.cookie).toBe('portal-theme=dark');
});
