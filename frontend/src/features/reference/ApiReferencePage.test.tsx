import { expect, jest, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { config, openPortal } from '../../testing/open.portal';

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

test('the frame shows the page of another site that the configuration names, and needs no message from it', async () => {
  const { apiReference } = config.links;
  config.links.apiReference = 'https://docs.example.com/api';
  try {
    const { machine } = openPortal('/api');
    const frame = await screen.findByTitle<HTMLIFrameElement>('API reference');
    expect(frame).toHaveAttribute('src', 'https://docs.example.com/api');
    expect(frame.getAttribute('sandbox')).not.toContain('allow-top-navigation');
    expect(screen.getByRole('link', { name: /Open in new tab/ })).toHaveAttribute(
      'href',
      'https://docs.example.com/api',
    );
    act(() => void frame.dispatchEvent(new Event('load')));
    await machine('referenceFrame').is('shown');
  } finally {
    config.links.apiReference = apiReference;
  }
});

test('an error page in the frame is reported, and Retry loads the frame again', async () => {
  const page = (html: string) =>
    jest
      .spyOn(HTMLIFrameElement.prototype, 'contentDocument', 'get')
      .mockReturnValue(new DOMParser().parseFromString(html, 'text/html'));
  page('<h1>Not found</h1>');
  const { user, machine } = openPortal('/api');
  const frame = await screen.findByTitle('API reference');
  act(() => void frame.dispatchEvent(new Event('load')));
  expect(await screen.findByText('Failed to load the API reference')).toBeInTheDocument();
  expect(screen.queryByTitle('API reference')).not.toBeInTheDocument();

  page('<div id="swagger-ui"></div>');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  const again = await screen.findByTitle('API reference');
  act(() => void again.dispatchEvent(new Event('load')));
  // The page reports by a message once it is drawn.
  expect(machine('referenceFrame').state()).toBe('loading');
  expect(screen.queryByText('Failed to load the API reference')).not.toBeInTheDocument();
});
