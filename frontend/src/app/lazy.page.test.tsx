import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom';
import { RouteError } from './ErrorScreen';
import { lazyPage } from './lazy.page';

/** A router with a page whose code loads only while online, as in a browser that has not cached it. */
function openOffline() {
  let isOnline = false;
  const load = async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module: /assets/Late-1.js');
    return { Component: () => <h1>Late page</h1> };
  };
  const router = createMemoryRouter(
    [
      {
        errorElement: <RouteError />,
        children: [
          { path: '/', element: <Link to="/late">Open</Link> },
          { path: '/late', lazy: lazyPage(load) },
        ],
      },
    ],
    { initialEntries: ['/'] },
  );
  render(<RouterProvider router={router} />);
  return { router, connect: () => (isOnline = true) };
}

test('a page that fails to load offline loads when the network returns', async () => {
  const { router, connect } = openOffline();
  await act(() => router.navigate('/late'));
  expect(await screen.findByText('Navigation Error')).toBeInTheDocument();
  connect();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByRole('heading', { name: 'Late page' })).toBeInTheDocument();
});

test('a page that failed to load offline loads when it is opened again', async () => {
  const { router, connect } = openOffline();
  await act(() => router.navigate('/late'));
  expect(await screen.findByText('Navigation Error')).toBeInTheDocument();
  await act(() => router.navigate('/'));
  connect();
  await act(() => router.navigate('/late'));
  expect(await screen.findByRole('heading', { name: 'Late page' })).toBeInTheDocument();
});
