import { describe, expect, jest, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
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
  const live = {
    isOnline: true,
    lastUpdateAt: null,
    onRows,
    onResync: () => () => undefined,
    onProject: () => () => undefined,
    onForum: () => () => undefined,
  };
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

/** A view with `change` that is not open, as of a range in the past. */
function FixedTail({ change }: { change: Partial<UsageTailState> }) {
  const tail = { ...useUsageTail(view, false, null), ...change };
  return <UsageTail tail={tail} isOpen={false} names={names} callHref={() => '?'} onOpen={() => undefined} />;
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
  render(<FixedTail change={{ rows, isIncomplete, isLoading: false, error: new Error('503') }} />);
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

test('a paused list whose calls failed to load follows again on Retry, with the calls', async () => {
  network.use(http.get('/api/usage', () => HttpResponse.error()));
  const { user, push } = openTail('reconnecting');
  await screen.findByText('Failed to load calls');
  push(rowOf(4));
  await screen.findByText('Failed to load earlier calls');
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  expect(state()).toBe('paused');
  playCalls(4, 3);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(shown()).toEqual([4, 3]));
  expect(state()).toBe('following');
});

test('a click that selects text in a row opens no call and pauses the list', async () => {
  playCalls(2, 1);
  openTail('live');
  await waitFor(() => expect(shown()).toEqual([2, 1]));
  const cell = document.querySelector('[data-seq="1"] td:last-child') as Element;
  window.getSelection()?.selectAllChildren(cell);
  fireEvent.click(cell);
  await waitFor(() => expect(state()).toBe('paused'));
  // A pause for an opened call would not be held.
  expect(screen.getByRole('region', { name: 'Live calls' })).toHaveAttribute('data-held', 'true');
  window.getSelection()?.removeAllRanges();
});

test('calls leave the list as they leave a range that ends now', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  const dayMs = 86_400_000;
  const timeOf = (ageMs: number) => new Date(Date.now() - ageMs).toISOString();
  const rows = [
    usageRowOf(2, { timestamp: timeOf(0) }),
    usageRowOf(1, { timestamp: timeOf(dayMs - 60_000) }),
  ];
  network.use(http.get('/api/usage', () => json({ rows, next: null })));
  openTail('live');
  await waitFor(() => expect(shown()).toEqual([2, 1]));
  await act(() => jest.advanceTimersByTimeAsync(120_000));
  await waitFor(() => expect(shown()).toEqual([2]));
});

test('a paused list counts the new calls, and says “or more” once some were skipped', () => {
  playCalls();
  function PausedNow({ isUnseenExact }: { isUnseenExact: boolean }) {
    const tail = { ...useUsageTail(view, false, null), isPaused: true, unseen: 1_204, isUnseenExact };
    return <UsageNow tail={tail} isOpen callHref={() => '?'} onOpen={() => undefined} />;
  }
  const live = { status: 'live', isOnline: true, lastUpdateAt: null } as const;
  const page = (isUnseenExact: boolean) => (
    <LiveContext.Provider
      value={{
        ...live,
        onRows: () => () => undefined,
        onResync: () => () => undefined,
        onProject: () => () => undefined,
        onForum: () => () => undefined,
      }}
    >
      <PausedNow isUnseenExact={isUnseenExact} />
    </LiveContext.Provider>
  );
  const { container, rerender } = render(page(true));
  expect(container).toHaveTextContent(/Paused, 1,204 new/);
  rerender(page(false));
  expect(container).toHaveTextContent(/Paused, 1,204 or more new/);
});

describe('Load earlier calls', () => {
  const newestFirst = (newest: number, oldest: number) =>
    Array.from({ length: newest - oldest + 1 }, (_, place) => newest - place);
  const button = () => screen.queryByRole('button', { name: 'Load earlier calls' });
  const press = async ({ user }: ReturnType<typeof openTail>) => user.click(button() as HTMLElement);
  const linkOf = (seq: number) => document.querySelector(`[data-seq="${seq}"] a`);

  /** Plays the newest calls and one page before them, and returns the requests for that page as they come. */
  function playPages(newest: number[], before: () => number[] | null) {
    const asked: (string | null)[] = [];
    const next = newest.at(-1) as number;
    network.use(
      http.get('/api/usage', ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('before');
        if (cursor === null) return json({ rows: newest.map(rowOf), next });
        asked.push(cursor);
        const rows = before();
        return rows ? json({ rows: rows.map(rowOf), next: null }) : HttpResponse.error();
      }),
    );
    return asked;
  }

  test('shows the loaded calls first, pauses the list, and moves the focus to the first of them', async () => {
    playCalls(...newestFirst(60, 1));
    const tail = openTail('live');
    await waitFor(() => expect(shown()).toEqual(newestFirst(60, 11)));
    await press(tail);
    await waitFor(() => expect(shown()).toEqual(newestFirst(60, 1)));
    expect(state()).toBe('paused');
    expect(button()).toBeNull();
    await waitFor(() => expect(linkOf(10)).toHaveFocus());

    // Only once: the focus stays where the user puts it.
    (document.activeElement as HTMLElement).blur();
    tail.push(rowOf(61));
    await screen.findByText(/1 new/);
    expect(document.body).toHaveFocus();
  });

  test('requests a page only once the loaded calls are all shown', async () => {
    const asked = playPages(newestFirst(200, 51), () => newestFirst(50, 1));
    const tail = openTail('live');
    await waitFor(() => expect(shown()).toHaveLength(50));
    await press(tail);
    await waitFor(() => expect(shown()).toEqual(newestFirst(200, 51)));
    expect(asked).toEqual([]);
    await press(tail);
    await waitFor(() => expect(shown()).toEqual(newestFirst(200, 1)));
    expect(asked).toEqual(['51']);
    expect(button()).toBeNull();
    await waitFor(() => expect(linkOf(50)).toHaveFocus());
  });

  test('that fails says so and can be retried', async () => {
    let page: number[] | null = null;
    const asked = playPages([4, 3], () => page);
    const tail = openTail('live');
    await waitFor(() => expect(shown()).toEqual([4, 3]));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await press(tail);
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load earlier calls.');
    page = [2, 1];
    await press(tail);
    await waitFor(() => expect(shown()).toEqual([4, 3, 2, 1]));
    expect(asked).toEqual(['3', '3']);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('moves the focus to the last call if there are no earlier ones', async () => {
    playPages([4, 3], () => []);
    const tail = openTail('live');
    await waitFor(() => expect(shown()).toEqual([4, 3]));
    await press(tail);
    await waitFor(() => expect(linkOf(3)).toHaveFocus());
    expect(button()).toBeNull();
  });

  test('gives way to a note once the list is full', () => {
    playCalls();
    const { rerender } = render(
      <FixedTail change={{ rows: [2, 1].map(rowOf), isLoading: false, older: 'full' }} />,
    );
    const note = /^Showing the latest 2 calls\. To see earlier ones, choose a range that ends earlier\.$/;
    expect(button()).toBeNull();
    expect(screen.getByText(note)).toBeInTheDocument();
    const rows = newestFirst(51, 1).map(rowOf);
    rerender(<FixedTail change={{ rows, isLoading: false, older: 'full' }} />);
    expect(button()).toBeInTheDocument();
    expect(screen.queryByText(/^Showing the latest/)).not.toBeInTheDocument();
  });
});
