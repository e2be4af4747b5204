import { afterEach, expect, jest, test } from '@jest/globals';
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

test('without a choice of the visitor the system’s mode counts', () => {
  expect(readColorMode()).toBe('light');
  const { matchMedia } = window;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((media) => ({ ...matchMedia(media), matches: media.includes('scheme: dark') }));
  expect(readColorMode()).toBe('dark');
  localStorage.setItem('portal-theme', 'light');
  expect(readColorMode()).toBe('light');
});

test('a theme stored before the cookie existed is copied to the cookie when the portal opens', () => {
  localStorage.setItem('portal-theme', 'dark');
  showColorMode(readColorMode());
  expect(document.cookie).toBe('portal-theme=dark');
});

test('the browser’s own interface gets the colour of the shown mode', () => {
  document.head.insertAdjacentHTML(
    'beforeend',
    '<meta name="theme-color" data-mode="light"><meta name="theme-color" data-mode="dark">',
  );
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
  const media = () => metas.map((meta) => meta.media);
  showColorMode('dark');
  expect(media()).toEqual(['not all', 'all']);
  showColorMode('light');
  expect(media()).toEqual(['all', 'not all']);
  for (const meta of metas) meta.remove();
});
