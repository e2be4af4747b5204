import { expect, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { waitFor } from '@testing-library/react';
import { http } from 'msw';
import { renderLiveHook } from '../../testing/live.hook';
import { json, network } from '../../testing/network';
import { latestCall, useLastCall } from './last.call';

const rowOf = (seq: number, projectId: string) =>
  usageRowOf(seq, { projectId, timestamp: `2026-01-01T12:00:0${seq}.000Z` });

test.each([
  {
    name: 'the latest call of a project ignores live calls of other projects',
    project: 'one',
    found: [1, 1, 3],
  },
  { name: 'the latest call of the account follows the live calls of every project', found: [1, 2, 3] },
])('$name', async ({ project, found }) => {
  network.use(http.get('/api/usage', () => json({ rows: [rowOf(1, 'one')], next: null })));
  const { result, push } = renderLiveHook(useLastCall, project);
  const latest = () => result.current.data?.seq;
  await waitFor(() => expect(latest()).toBe(found[0]));
  push(rowOf(2, 'another'));
  await waitFor(() => expect(latest()).toBe(found[1]));
  push(rowOf(3, 'one'));
  await waitFor(() => expect(latest()).toBe(found[2]));
});

test('the latest call is the one with the latest time, and of those at the same time the one stored last', () => {
  const at = (seq: number, second: number) =>
    usageRowOf(seq, { timestamp: `2026-01-01T12:00:0${second}.000Z` });
  expect(latestCall([at(5, 1), at(4, 2), at(3, 0)])?.seq).toBe(4);
  expect(latestCall([at(3, 1), at(5, 1), at(4, 1)])?.seq).toBe(5);
  expect(latestCall([])).toBeNull();
});
