import { expect, jest, test } from '@jest/globals';
import { appRoutes, type AppRoute } from '@orange-id/contract/app.routes';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { configInPage } from '../api/config/get.config';
import { json, network } from '../testing/network';
import { config, openPortal } from '../testing/open.portal';
import { App } from './App';
import { suppressRejections } from './rejections';
import { routes } from './routes';

const toasts = () => screen.getByRole('region', { name: 'Notifications (F8)' });
const shownToasts = () => screen.queryAllByRole('listitem').filter((item) => toasts().contains(item));

test('every page but the public ones listed here sends a visitor to the sign-in page', async () => {
  const isPublic = (path: string) => appRoutes[path as AppRoute].access === 'public';
  expect(Object.keys(appRoutes).filter(isPublic)).toEqual([
    '/',
    '/community',
    '/community/new',
    '/login',
    '/auth/callback',
    '/docs',
    '/faq',
    '/games-sdk-integration-guide',
    '/games-sdk-integration-guide/playground',
  ]);
  for (const path of Object.keys(appRoutes).filter((each) => !isPublic(each))) {
    const { address, close } = openPortal(path, { as: 'visitor' });
    await waitFor(() => expect([path, address()]).toEqual([path, '/login']));
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeInTheDocument();
    close();
  }
});

test('an unknown URL shows Page Not Found, and the FAQ says that it is not available yet', async () => {
  const { goTo } = openPortal('/no-such-page');
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeInTheDocument();
  expect(document.title).toBe('Page Not Found · Orange ID developer portal');
  await goTo('/faq');
  expect(await screen.findByText('Coming Soon')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open the API reference' })).toHaveAttribute('href', '/api');
});

test('opening a page inside the portal updates the title and the description', async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="description" content="before">');
  const description = document.querySelector('meta[name=description]');
  try {
    const { goTo } = openPortal('/', { as: 'visitor' });
    await waitFor(() => expect(document.title).toBe('Orange ID developer portal'));
    await goTo('/faq');
    await waitFor(() => expect(document.title).toBe('FAQ · Orange ID developer portal'));
    await goTo('/docs#explorer');
    await waitFor(() =>
      expect(document.title).toBe('API Explorer · Documentation · Orange ID developer portal'),
    );
    await goTo('/docs');
    await waitFor(() => expect(document.title).toBe('Documentation · Orange ID developer portal'));
    await goTo('/faq');
    expect(description).toHaveAttribute(
      'content',
      'Coming soon: answers to questions developers ask about Orange ID.',
    );
  } finally {
    description?.remove();
  }
});

test('the portal shows an error if its configuration fails to load, and starts on Try again', async () => {
  // The page of another server doesn't contain the configuration.
  document.body.insertAdjacentHTML(
    'beforeend',
    '<script id="portal-config" type="application/json"></script>',
  );
  network.use(http.get('/api/config', () => HttpResponse.text('resting', { status: 503 })));
  const router = createMemoryRouter(routes, { initialEntries: ['/faq'] });
  render(
    <App config={configInPage()}>
      <RouterProvider router={router} />
    </App>,
  );
  document.getElementById('portal-config')?.remove();
  expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeInTheDocument();
  expect(screen.getByText('503: resting')).toBeInTheDocument();
  network.use(http.get('/api/config', () => json({ ...config })));
  act(() => screen.getByRole('button', { name: 'Try again' }).click());
  expect(await screen.findByText('Coming Soon')).toBeInTheDocument();
});

test.each([
  ['The calendar broke', 'The calendar broke'],
  ['', 'An unexpected error occurred'],
])(
  'a page that throws %p while rendering shows an error, and renders on Try again',
  async (message, words) => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { user, goTo } = openPortal('/faq');
    await screen.findByRole('complementary', { name: 'Sidebar' });
    const prototype = Intl.DateTimeFormat.prototype;
    const format = Object.getOwnPropertyDescriptor(prototype, 'format') as PropertyDescriptor;
    network.use(http.get('/api/keys', () => json([unusedKey])));
    try {
      Object.defineProperty(prototype, 'format', {
        configurable: true,
        get() {
          throw new Error(message);
        },
      });
      await goTo('/keys');
      const alert = await screen.findByRole('alert');
      expect(alert).toHaveTextContent('Something went wrong');
      expect(alert).toHaveTextContent(words);
      expect(within(alert).getByRole('link', { name: 'Search the community' })).toHaveAttribute(
        'href',
        '/community',
      );
    } finally {
      Object.defineProperty(prototype, 'format', format);
    }
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'API Keys' })).toBeInTheDocument();
    expect(await screen.findByRole('list', { name: 'Your API keys' })).toHaveTextContent('Server');
  },
);

test('an unhandled rejection is logged and not passed on to the browser', () => {
  const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  suppressRejections();
  const reason = new Error('nobody listens');
  const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason });
  window.dispatchEvent(event);
  expect(errors).toHaveBeenCalledWith('Unhandled promise rejection:', reason);
  expect(event.defaultPrevented).toBe(true);
});

test('one toast shows at a time, for 5 seconds; F8 focuses it and Escape closes it', async () => {
  jest.useFakeTimers();
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const { user, machine } = openPortal('/orange-id');
  await machine('wizard').is('naming');
  const create = screen.getByRole('button', { name: 'Create New' });
  const press = async () => {
    await user.click(create);
    await screen.findByText('Project Name Required');
  };
  await press();
  await user.click(create);
  expect(shownToasts()).toHaveLength(1);
  expect(shownToasts()[0]).toHaveTextContent('Project Name Required');
  expect(shownToasts()[0]).toHaveTextContent('Please enter a project name.');
  await pass(4_000);
  expect(shownToasts()).toHaveLength(1);
  await pass(1_100);
  expect(shownToasts()).toHaveLength(0);

  // A new toast replaces the previous one and shows for its own 5 seconds.
  await press();
  await pass(4_000);
  await user.click(create);
  await pass(4_000);
  expect(shownToasts()).toHaveLength(1);
  await user.keyboard('[F8]');
  await waitFor(() => expect(toasts().querySelector('ol')).toHaveFocus());
  await user.tab();
  await user.keyboard('{Escape}');
  await pass(10);
  expect(shownToasts()).toHaveLength(0);
});

test.each([
  ['a page with a header', '/faq'],
  ['the sign-in page', '/login'],
])(
  'the theme follows the system until it is switched on %s, and the switch is remembered',
  async (_, path) => {
    const { user, close } = openPortal(path, { as: 'visitor' });
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-theme', 'light'));
    await user.click(await screen.findByRole('button', { name: /Switch to dark theme/ }));
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
    expect(localStorage.getItem(storageKeys.colorMode)).toBe('dark');
    close();
    const again = openPortal(path, { as: 'visitor' });
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-theme', 'dark'));
    await again.user.click(await screen.findByRole('button', { name: /Switch to light theme/ }));
    // Switching to the system's own theme follows the system again and stores nothing.
    expect(document.documentElement).toHaveAttribute('data-theme', 'light');
    expect(localStorage.getItem(storageKeys.colorMode)).toBeNull();
  },
);
