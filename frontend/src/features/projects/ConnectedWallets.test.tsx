import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { acmeProject } from '../../testing/acme.project';
import { json, network } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const address = (place: number) => `0x${String(place).padStart(40, '0')}`;
const wallet = (place: number) => ({
  address: address(place),
  firstConnectedAt: '2026-01-02T03:04:05.000Z',
  lastConnectedAt: place === 1 ? '2026-01-03T03:04:05.000Z' : '2026-01-02T03:04:05.000Z',
});

const open = () => {
  network.use(
    http.get('/devportal/v1/user/projects', () => json([acmeProject])),
    http.get('/api/analytics/metrics', () => HttpResponse.text('unused', { status: 503 })),
  );
  return openPortal('/projects?project=Acme');
};
const section = () => screen.findByRole('region', { name: /^Connected wallets/ });

test('a project lists its connected wallets, most recently connected first, page by page', async () => {
  network.use(
    http.get('/api/projects/orange-k3x9p2m7qa/wallets', ({ request }) =>
      new URL(request.url).searchParams.get('after') === '9-x'
        ? json({ wallets: [wallet(3)], total: 3, next: null })
        : json({ wallets: [wallet(1), wallet(2)], total: 3, next: '9-x' }),
    ),
  );
  const { user } = open();
  const wallets = within(await section());
  await waitFor(() => expect(wallets.getByRole('heading')).toHaveTextContent('Connected wallets (3)'));
  expect(wallets.getAllByRole('listitem')).toHaveLength(2);
  const [first, second] = wallets.getAllByRole('listitem');
  expect(first).toHaveTextContent(/^0x00000\.\.\.00000001Connected .*, first .*$/);
  expect(second).not.toHaveTextContent('first');
  await user.click(wallets.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(wallets.getAllByRole('listitem')).toHaveLength(3));
  await waitFor(() => expect(wallets.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument());
});

test('wallets of a further page that fail to load show the error, and load on Retry', async () => {
  let isDown = true;
  network.use(
    http.get('/api/projects/orange-k3x9p2m7qa/wallets', ({ request }) => {
      if (!new URL(request.url).searchParams.has('after'))
        return json({ wallets: [wallet(1)], total: 2, next: '9-x' });
      return isDown
        ? HttpResponse.text('down', { status: 503 })
        : json({ wallets: [wallet(2)], total: 2, next: null });
    }),
  );
  const { user } = open();
  const wallets = within(await section());
  await user.click(await wallets.findByRole('button', { name: 'Show more' }));
  expect(await wallets.findByText('Failed to load more wallets')).toBeInTheDocument();
  expect(wallets.getAllByRole('listitem')).toHaveLength(1);
  expect(wallets.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  isDown = false;
  await user.click(wallets.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(wallets.getAllByRole('listitem')).toHaveLength(2));
  expect(wallets.queryByText('Failed to load more wallets')).not.toBeInTheDocument();
});

test('a project without connected wallets says how to connect one', async () => {
  network.use(
    http.get('/api/projects/orange-k3x9p2m7qa/wallets', () => json({ wallets: [], total: 0, next: null })),
  );
  open();
  const link = await within(await section()).findByRole('link', { name: 'how to connect a wallet' });
  expect(link).toHaveAttribute('href', '/docs#reference-wallet-message');
  expect(link.parentElement).toHaveTextContent(
    /^No wallet is connected yet\. Your site connects one with a signed message: how to connect a wallet\.$/,
  );
});

test('wallets that fail to load show the error, and load on Retry', async () => {
  let isDown = true;
  network.use(
    http.get('/api/projects/orange-k3x9p2m7qa/wallets', () =>
      isDown
        ? HttpResponse.text('down', { status: 503 })
        : json({ wallets: [wallet(1)], total: 1, next: null }),
    ),
  );
  const { user } = open();
  const wallets = within(await section());
  expect(await wallets.findByText('Failed to load connected wallets')).toBeInTheDocument();
  isDown = false;
  await user.click(wallets.getByRole('button', { name: 'Retry' }));
  expect(await wallets.findByText('0x00000...00000001')).toBeInTheDocument();
});
