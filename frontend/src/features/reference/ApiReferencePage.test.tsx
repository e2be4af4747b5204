import { expect, jest, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { openPortal } from '../../testing/open.portal';

test('the frame takes the height that its content reports, and ignores messages of other windows', async () => {
  // jsdom loads nothing into a frame.
  const loaded = new DOMParser().parseFromString('<div id="swagger-ui"></div>', 'text/html');
  jest.spyOn(HTMLIFrameElement.prototype, 'contentDocument', 'get').mockReturnValue(loaded);
  const { machine } = openPortal('/api');
  const frame = await screen.findByTitle<HTMLIFrameElement>('API reference');
  const say = (data: unknown, { source = frame.contentWindow, origin = window.location.origin } = {}) =>
    act(() => void window.dispatchEvent(new MessageEvent('message', { data, source, origin })));
  say({ type: 'reference.drawn' });
  await machine('referenceFrame').is('shown');
  say({ type: 'reference.resized', height: 4321 });
  await waitFor(() => expect(frame).toHaveStyle({ height: '4321px' }));

  say({ type: 'reference.resized', height: 1 }, { source: window });
  say({ type: 'reference.resized', height: 2 }, { origin: 'https://evil.example.com' });
  for (const height of [-1, 1e9, Number.NaN, '3', undefined]) say({ type: 'reference.resized', height });
  expect(frame).toHaveStyle({ height: '4321px' });
});
