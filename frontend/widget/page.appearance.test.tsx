import { afterEach, expect, jest, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { usePageAppearance } from './page.appearance';

const root = document.documentElement;
afterEach(() => {
  root.style.colorScheme = '';
  root.removeAttribute('data-theme');
});

const systemPrefers = (scheme: 'light' | 'dark') => {
  const { matchMedia } = window;
  jest.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    ...matchMedia(media),
    matches: media === `(prefers-color-scheme: ${scheme})`,
  }));
};

test.each([
  { declared: 'normal', system: 'dark', shown: 'light' },
  { declared: 'light', system: 'dark', shown: 'light' },
  { declared: 'dark', system: 'light', shown: 'dark' },
  { declared: 'light dark', system: 'light', shown: 'light' },
  { declared: 'light dark', system: 'dark', shown: 'dark' },
] as const)('a page that declares $declared is $shown on a $system system', ({ declared, system, shown }) => {
  systemPrefers(system);
  root.style.colorScheme = declared;
  expect(renderHook(usePageAppearance).result.current).toBe(shown);
});

test('the panel follows a page that switches its theme', async () => {
  systemPrefers('light');
  const { result } = renderHook(usePageAppearance);
  expect(result.current).toBe('light');
  act(() => {
    root.style.colorScheme = 'dark';
    root.dataset['theme'] = 'dark';
  });
  await waitFor(() => expect(result.current).toBe('dark'));
});
