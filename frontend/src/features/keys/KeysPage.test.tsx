import { expect, jest, test } from '@jest/globals';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { screen } from '@testing-library/react';
import { http } from 'msw';
import { json, network, refusal, silence } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const savedKey = (name: string, more: Partial<SavedKey> = {}): SavedKey => ({
  ...{ id: `id-${name}`, name, key: `oid_${'k'.repeat(33)}` },
  ...{ createdAt: '2026-01-02T03:04:05.000Z', lastUsed: null },
  ...more,
});

/** The page with these keys, once they are listed. */
async function openKeys(...keys: SavedKey[]) {
  network.use(http.get('/api/keys', () => json(keys)));
  const portal = openPortal('/keys');
  await portal.machine('savedKeys').is('listing');
  if (keys.length > 0) await screen.findByRole('list', { name: 'Your API keys' });
  return { ...portal, name: screen.getByRole('textbox', { name: /name/i }) };
}

test('a failed creation says so in a toast and in the form, keeps the name, and goes away with the next attempt', async () => {
  const { user, name } = await openKeys();
  network.use(http.post('/api/keys', () => refusal(503, 'Try again later'), { once: true }));
  await user.type(name, 'Server{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to create API key: 503: Try again later',
  );
  expect(await screen.findByText('503: Try again later')).toBeInTheDocument();
  expect(name).toHaveFocus();
  expect(name).toHaveValue('Server');

  network.use(http.post('/api/keys', () => json(savedKey('Server'), 201)));
  network.use(http.get('/api/keys', () => json([savedKey('Server')])));
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('button', { name: /Delete/ })).toBeInTheDocument();
  expect(screen.queryByText(/^Failed to create API key: 503/)).not.toBeInTheDocument();
});

test('a creation without an answer can be left after 30 seconds', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  const { user, name, machine } = await openKeys();
  network.use(http.post('/api/keys', silence));
  await user.type(name, 'Server{Enter}');
  await machine('savedKeys').is('creating');
  expect(screen.getByRole('button', { name: 'Creating...' })).toBeDisabled();
  jest.advanceTimersByTime(30_000);
  expect(await screen.findByRole('alert')).toHaveTextContent('The server didn’t answer within 30 s');
});
