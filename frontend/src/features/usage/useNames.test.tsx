import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { json, network } from '../../testing/network';
import { useNames } from './useNames';

test('a call is named by its project, and one made with an API key of no project by that key', async () => {
  const key = { id: 'key-1', name: 'CI', prefix: 'oid_4fGh', projectId: null, isActive: true };
  network.use(http.get('/api/usage/keys', () => json([key])));
  const client = new QueryClient();
  const { result } = renderHook(useNames, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const name = (projectId: string | null, keyId: string) => result.current.projectName({ projectId, keyId });
  await waitFor(() => expect(name(null, 'key-1')).toBe('CI (API key)'));
  expect(name(null, 'key-gone')).toBe('Deleted API key');
  expect(name('orange-k3x9p2m7qa', 'key-2')).toBe('orange-k3x9p2m7qa');
});
