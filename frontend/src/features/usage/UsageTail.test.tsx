import { expect, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { LiveContext, type LiveStatus } from '../../api/usage/live.context';
import { json, network } from '../../testing/network';
import { UsageNow } from './UsageNow';
import { UsageTail } from './UsageTail';
import { useUsageTail, type UsageTailState } from './useUsageTail';

const view = { range: '24h' } as const;
const names = { keys: [], projects: [], projectName: () => 'Acme', keyName: () => null, hasKeys: true };
const rowOf = (seq: number) => usageRowOf(seq, { timestamp: new Date().toISOString() });
const shown = () =>
  Array.from(document.querySelectorAll('[data-seq]'), (row) => Number(row.getAttribute('data-seq')));
const state = () => document.querySelector('[data-machine="usageTail"]')?.getAttribute('data-state');

function Tail() {
  const [call, setCall] = useState<number | null>(null);
  const tail = useUsageTail(view, true, call);
  return (
    <>
      <UsageNow tail={tail} isOpen callHref={() => '?'} onOpen={setCall} />
      <button onClick={() => setCall(null)}>Close</button>
      <UsageTail tail={tail} isOpen names={names} callHref={() => '?'} onOpen={setCall} />
    </>
  );
}

/** Renders the list with a live connection whose status and rows the test controls. */
function openTail(status: LiveStatus) {
  let listen: (rows: UsageRow[]) => void = () => undefined;
  const onRows = (listener: (rows: UsageRow[]) => void) => {
    listen = listener;
    return () => undefined;
  };
  const live = { isOnline: true, lastUpdateAt: null, onRows, onResync: () => () => undefined };
  const page = (now: LiveStatus) => (
    <LiveContext.Provider value={{ ...live, status: now }}>
      <Tail />
    </LiveContext.Provider>
  );
  const { rerender } = render(page(status));
  return {
    user: userEvent.setup({ delay: null }),
    push: (...rows: UsageRow[]) => listen(rows),
    become: (now: LiveStatus) => rerender(page(now)),
  };
}

const playCalls = (...seqs: number[]) =>
  network.use(http.get('/api/usage', () => json({ rows: seqs.map(rowOf), next: null })));

test('a failure to load calls is still shown when live calls arrive, and the earlier calls load after the connection returns', async () => {
  network.use(http.get('/api/usage', () => HttpResponse.error()));
  const { push, become } = openTail('reconnecting');
  expect(await screen.findByText('Failed to load calls')).toBeInTheDocument();
  push(rowOf(4));
  expect(await screen.findByText('Failed to load earlier calls')).toBeInTheDocument();
  expect(shown()).toEqual([4]);

  playCalls(4, 3, 2, 1);
  become('live');
  await waitFor(() => expect(shown()).toEqual([4, 3, 2, 1]));
  expect(screen.queryByText('Failed to load earlier calls')).not.toBeInTheDocument();
});

test.each([
  ['is not shown if no call is missing among them', [rowOf(1)], false, []],
  ['is shown if calls may be missing among them', [rowOf(1)], true, ['Failed to load earlier calls']],
  ['is shown if there are none', [], false, ['Failed to load calls']],
])('a failure to load the newest calls %s', async (_, rows, isIncomplete, titles) => {
  playCalls();
  function FailedTail() {
    const change: Partial<UsageTailState> = { rows, isIncomplete, isLoading: false, error: new Error('503') };
    const tail = { ...useUsageTail(view, false, null), ...change };
    return (
      <UsageTail tail={tail} isOpen={false} names={names} callHref={() => '?'} onOpen={() => undefined} />
    );
  }
  render(<FailedTail />);
  expect(screen.queryAllByText(/^Failed to load/).map(({ textContent }) => textContent)).toEqual(titles);
});

test('a list without calls says that new ones appear in it', async () => {
  playCalls();
  openTail('live');
  expect(await screen.findByText('No calls to show')).toBeInTheDocument();
  expect(screen.getByText('New calls that match your filters appear here.')).toBeInTheDocument();
});

test('the bar with the Pause button is held in view after a pause by the button, but not after a press on a row', async () => {
  playCalls(2, 1);
  const { user } = openTail('live');
  await waitFor(() => expect(shown()).toEqual([2, 1]));
  const bar = screen.getByRole('region', { name: 'Live calls' });
  const link = document.querySelector('.usage_table .usage_callLink') as Element;
  await user.pointer({ keys: '[MouseLeft>]', target: link });
  await waitFor(() => expect(state()).toBe('paused'));
  expect(bar).toHaveAttribute('data-held', 'false');
  await user.pointer({ keys: '[/MouseLeft]' });
  await user.click(screen.getByText('Close'));
  await waitFor(() => expect(state()).toBe('following'));
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  expect(bar).toHaveAttribute('data-held', 'true');
});

test('a list paused by an opened call resumes when the call closes', async () => {
  playCalls(2, 1);
  const { user, push } = openTail('live');
  await waitFor(() => expect(shown()).toEqual([2, 1]));
  await user.click(document.querySelector('.usage_table .usage_callLink') as Element);
  await waitFor(() => expect(state()).toBe('paused'));
  push(rowOf(3));
  await user.click(screen.getByText('Close'));
  await waitFor(() => expect(shown()).toEqual([3, 2, 1]));
  expect(state()).toBe('following');
});

test('a pause requested by the user outlasts a call that is opened and closed', async () => {
  playCalls(2, 1);
  const { user, push } = openTail('live');
  await waitFor(() => expect(shown()).toEqual([2, 1]));
  await user.click(screen.getByText('Pause'));
  await user.click(document.querySelector('.usage_table .usage_callLink') as Element);
  push(rowOf(3));
  await user.click(screen.getByText('Close'));
  expect(state()).toBe('paused');
  expect(shown()).toEqual([2, 1]);
});

test('each call’s link names the call, its outcome and its time, to tell links in a list apart', async () => {
  const at = (second: number) => new Date(2026, 10, 21, 14, 3, second).toISOString();
  const rows = [
    usageRowOf(2, { timestamp: at(22) }),
    usageRowOf(1, { timestamp: at(5), statusCode: 403, outcome: 'blocked', path: '/nowhere' }),
  ];
  network.use(http.get('/api/usage', () => json({ rows, next: null })));
  openTail('live');
  await waitFor(() => expect(shown()).toEqual([2, 1]));
  const list = within(screen.getByRole('table'));
  expect(list.getByRole('link', { name: 'GET /api/v1/key, 200 OK, 21 Nov, 14:03:22' })).toBeInTheDocument();
  expect(list.getByRole('link', { name: 'GET /nowhere, 403 Blocked, 21 Nov, 14:03:05' })).toBeInTheDocument();
});
