import { afterEach, expect, test } from '@jest/globals';
import { chooseColorMode, readColorMode, showColorMode, subscribeColorMode } from './color.mode';

afterEach(() => void (document.cookie = 'portal-theme=; Path=/; Max-Age=0'));

test('a theme chosen against the system is told to the server in a cookie, until the system’s is chosen again', () => {
  const stop = subscribeColorMode(() => showColorMode(readColorMode()));
  chooseColorMode('dark');
  expect(document.cookie).toBe('portal-theme=dark');
  chooseColorMode('light');
  expect(document.cookie).toBe('');
  stop();
});

test('a choice from before there was a cookie is told when the portal opens', () => {
  localStorage.setItem('portal-theme', 'dark');
  showColorMode(readColorMode());
  expect(document.cookie).toBe('portal-theme=dark');
});
