import { expect, test } from '@jest/globals';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { waitFor } from '@testing-library/react';
import { http } from 'msw';
import { renderLiveHook } from '../../testing/live.hook';
import { json, network } from '../../testing/network';
import { savedKeys } from './key.list';
import { useLiveKeys } from './live.keys';

test('the keys are fetched again whenever the day changes, because the count of its calls starts again', async () => {
  let asked = 0;
  network.use(http.get('/api/keys', () => json([{ ...unusedKey, callsToday: ++asked }])));
  const { result, rerender } = renderLiveHook((day: string) => useLiveKeys(savedKeys, day), '2026-01-01');
  const fetched = () => result.current.data?.[0]?.callsToday;
  await waitFor(() => expect(fetched()).toBe(1));
  rerender('2026-01-02');
  await waitFor(() => expect(fetched()).toBe(2));
  // A clock that is set back changes it too.
  rerender('2026-01-01');
  await waitFor(() => expect(fetched()).toBe(3));
  expect(asked).toBe(3);
});
