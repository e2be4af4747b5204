import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { json, network, refusal } from '../../testing/network';
import { keyLabel, useNames } from './useNames';

const render = () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { result } = renderHook(useNames, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  return {
    client,
    name: (projectId: string | null, keyId: string) => result.current.projectName({ projectId, keyId }),
    label: (keyId: string) => keyLabel(result.current, keyId),
  };
};

test('a key is not called deleted while the keys load, nor if they fail to load', async () => {
  network.use(http.get('/api/usage/keys', () => refusal(503, 'Try again later')));
  const { client, name, label } = render();
  expect([name(null, 'key-1'), label('key-5f0a')]).toEqual(['API key', 'Key …5f0a']);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect([name(null, 'key-1'), label('key-5f0a')]).toEqual(['API key', 'Key …5f0a']);
});

test('a call is named after its project, or after its key if the key has no project', async () => {
  const key = { id: 'key-1', name: 'CI', prefix: 'oid_4fGh', last4: 'Zabc', projectId: null, isActive: true };
  network.use(http.get('/api/usage/keys', () => json([key])));
  const { name, label } = render();
  await waitFor(() => expect(name(null, 'key-1')).toBe('CI (API key)'));
  expect(label('key-1')).toBe('CI · oid_4fGh••••Zabc');
  expect([name(null, 'key-gone'), label('key-gone')]).toEqual(['Deleted API key', 'Deleted key …gone']);
  expect(name('orange-k3x9p2m7qa', 'key-2')).toBe('orange-k3x9p2m7qa');
});
