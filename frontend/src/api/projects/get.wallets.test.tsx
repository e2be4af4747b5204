import { expect, test } from '@jest/globals';
import { meteredPaths } from '@orange-id/contract/metered.paths';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { waitFor } from '@testing-library/react';
import { http } from 'msw';
import { renderLiveHook } from '../../testing/live.hook';
import { json, network } from '../../testing/network';
import { useConnectedWallets } from './get.wallets';

const code = 'orange-k3x9p2m7qa';

test('the wallets of a project are fetched again when a live call connects one with its key, and for no other call', async () => {
  let total = 0;
  network.use(
    http.get(`/api/projects/${code}/wallets`, () => json({ wallets: [], total: total++, next: null })),
  );
  const { result, client, push } = renderLiveHook(useConnectedWallets, code);
  const fetched = () => result.current.data?.pages[0]?.total;
  await waitFor(() => expect(fetched()).toBe(0));

  const connection = { projectId: code, endpoint: meteredPaths.walletConnect.path, outcome: 'ok' } as const;
  push(usageRowOf(1, { ...connection, projectId: 'orange-another' }));
  push(usageRowOf(2, { ...connection, endpoint: '/api/v1/key' }));
  push(usageRowOf(3, { ...connection, outcome: 'blocked' }));
  expect(client.isFetching()).toBe(0);
  push(usageRowOf(4, { ...connection, endpoint: '/api/v1/key' }), usageRowOf(5, connection));
  await waitFor(() => expect(fetched()).toBe(1));
  expect(total).toBe(2);
});
