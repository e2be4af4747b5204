import { expect, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsagePage, UsageRow } from '@orange-id/contract/usage.schema';
import { settled } from '../../testing/settled';
import { tailCapacity, tailLimit, TailStore } from './tail.store';

const up = (from: number, to: number, make = usageRowOf) =>
  Array.from({ length: to - from + 1 }, (_, index) => make(from + index));
const down = (from: number, to: number) => up(to, from).reverse();
const seqs = (rows: readonly UsageRow[]) => rows.map(({ seq }) => seq);

interface Asked {
  before: number | undefined;
  answer: (page: UsagePage) => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

function start() {
  const asked: Asked[] = [];
  const store = new TailStore(
    ({ before }) =>
      new Promise((resolve, reject) => {
        asked.push({
          before,
          answer: (page) => (resolve(page), settled()),
          fail: (error) => (reject(error), settled()),
        });
      }),
    () => 42,
  );
  return { store, asked, state: store.getState, shown: () => seqs(store.getState().rows) };
}

async function startWith(newest: number, oldest: number, next: number | null = null) {
  const world = start();
  void world.store.refresh();
  await world.asked.shift()?.answer({ rows: down(newest, oldest), next });
  return world;
}

test('the store loads the newest calls', async () => {
  const { store, asked, state, shown } = start();
  expect(state()).toMatchObject({ isLoading: true, readAt: null });
  void store.refresh();
  await asked[0]?.answer({ rows: down(5, 3), next: 3 });
  expect(shown()).toEqual([5, 4, 3]);
  expect(state()).toMatchObject({ isLoading: false, error: null, older: 'some', readAt: 42, liveAfter: 5 });
});

test('live calls are added on top, once each', async () => {
  const { store, shown } = await startWith(5, 3);
  store.push(up(6, 7));
  store.push(up(7, 8));
  expect(shown()).toEqual([8, 7, 6, 5, 4, 3]);
});

test('calls that arrive while the first page loads are kept, without duplicates', async () => {
  const { store, asked, shown } = start();
  void store.refresh();
  store.push(up(5, 7));
  await asked[0]?.answer({ rows: down(6, 3), next: null });
  expect(shown()).toEqual([7, 6, 5, 4, 3]);
});

test('a few live calls fade in, but a large batch does not', async () => {
  const { store, state } = await startWith(5, 3);
  store.push(up(6, 7));
  expect(state().liveAfter).toBe(5);
  store.push(up(8, 40));
  expect(state().liveAfter).toBe(40);
});

test('the store keeps at most its capacity, and knows that there are more calls', async () => {
  const { store, state, shown } = await startWith(5, 1);
  store.push(up(6, 400));
  store.push(up(401, 700));
  expect(shown()).toHaveLength(tailCapacity);
  expect(shown()[0]).toBe(700);
  expect(shown().at(-1)).toBe(201);
  expect(state().older).toBe('some');
});

test('a paused list keeps its rows, and shows the new ones when it resumes', async () => {
  const { store, shown } = await startWith(5, 3);
  store.pause();
  store.push(up(6, 8));
  expect(shown()).toEqual([5, 4, 3]);
  store.resume();
  expect(shown()).toEqual([8, 7, 6, 5, 4, 3]);
});

test('a paused list with too many waiting calls fetches them when it resumes', async () => {
  const { store, asked, shown } = await startWith(5, 3);
  store.pause();
  store.push(up(6, 300));
  store.push(up(301, 700));
  store.push(up(701, 702));
  expect(shown()).toEqual([5, 4, 3]);
  store.resume();
  await asked[0]?.answer({ rows: down(702, 603), next: 603 });
  expect(shown()).toEqual(seqs(down(702, 603)));
});

test('a paused list refreshes when it resumes, not before', async () => {
  const { store, asked, shown } = await startWith(5, 3);
  store.pause();
  await store.refresh();
  expect(asked).toHaveLength(0);
  expect(shown()).toEqual([5, 4, 3]);
  store.resume();
  await asked[0]?.answer({ rows: down(9_000, 8_901), next: 8_901 });
  expect(shown()[0]).toBe(9_000);
});

test('a fetch after a skip leaves no gap: older calls are dropped and can be loaded', async () => {
  const { store, asked, shown, state } = await startWith(5, 3);
  void store.refresh();
  store.push(up(9_001, 9_002));
  await asked[0]?.answer({ rows: down(9_000, 8_901), next: 8_901 });
  expect(shown()).toEqual(seqs(down(9_002, 8_901)));
  expect(state().older).toBe('some');
});

test('only the newest of two fetches counts', async () => {
  const { store, asked, shown } = start();
  void store.refresh();
  void store.refresh();
  await asked[1]?.answer({ rows: down(9, 8), next: null });
  await asked[0]?.answer({ rows: down(5, 3), next: null });
  expect(shown()).toEqual([9, 8]);
});

test('older calls are added page by page back to the first', async () => {
  const { store, asked, shown, state } = await startWith(9, 7, 7);
  void store.loadOlder();
  void store.loadOlder();
  expect(state().older).toBe('loading');
  expect(asked).toHaveLength(1);
  expect(asked[0]?.before).toBe(7);
  await asked.shift()?.answer({ rows: down(6, 4), next: 4 });
  expect(state().older).toBe('some');
  void store.loadOlder();
  await asked.shift()?.answer({ rows: down(3, 1), next: null });
  expect(shown()).toEqual(seqs(down(9, 1)));
  expect(state().older).toBe('none');
});

test('older calls that fail to load can be requested again', async () => {
  const { store, asked, shown, state } = await startWith(9, 7, 7);
  void store.loadOlder();
  await asked.shift()?.fail(new Error('503'));
  expect(state().older).toBe('failed');
  expect(shown()).toEqual([9, 8, 7]);
  void store.loadOlder();
  await asked.shift()?.answer({ rows: down(6, 4), next: null });
  expect(shown()).toEqual(seqs(down(9, 4)));
});

test('a paused list loads at most the limit of older calls, and drops them when it resumes', async () => {
  const { store, asked, shown, state } = await startWith(9_000, 8_501, 8_501);
  store.pause();
  for (let oldest = 8_501; oldest > 9_000 - tailLimit; oldest -= 500) {
    void store.loadOlder();
    await asked.shift()?.answer({ rows: down(oldest - 1, oldest - 500), next: oldest - 500 });
  }
  expect(shown()).toHaveLength(tailLimit);
  expect(state().older).toBe('full');
  store.resume();
  expect(shown()).toHaveLength(tailCapacity);
  expect(state().older).toBe('some');
});

test('older calls that arrive after the list has resumed are dropped, so that no gap appears', async () => {
  const { store, asked, shown } = await startWith(9_000, 8_501, 8_501);
  store.pause();
  void store.loadOlder();
  await asked.shift()?.answer({ rows: down(8_500, 8_401), next: 8_401 });
  void store.loadOlder();
  store.resume();
  await asked.shift()?.answer({ rows: down(8_400, 8_301), next: 8_301 });
  expect(shown()).toEqual(seqs(down(9_000, 8_501)));
});

test('a failed fetch reports its error and keeps the rows', async () => {
  const { store, asked, shown, state } = await startWith(5, 3);
  void store.refresh();
  await asked[0]?.fail(new Error('503: down'));
  expect(state()).toMatchObject({ isLoading: false, error: new Error('503: down') });
  expect(shown()).toEqual([5, 4, 3]);
});

test('calls that time has moved out of the range are dropped, except while the list is paused', async () => {
  const { store, shown } = start();
  const minutes = (seq: number) => usageRowOf(seq, { timestamp: `2026-01-01T12:${10 + seq}:00.000Z` });
  store.push(up(1, 5, minutes));
  store.pause();
  store.dropBefore(Date.parse('2026-01-01T12:13:00Z'));
  expect(shown()).toEqual([5, 4, 3, 2, 1]);
  store.resume();
  store.dropBefore(Date.parse('2026-01-01T12:13:00Z'));
  expect(shown()).toEqual([5, 4, 3]);
});

test('rows count as too fast to follow from the first batch above a limit until a batch of at most half that limit', async () => {
  const { store, state } = await startWith(5, 3);
  let last = 5;
  const isRushedAfter = (count: number) => {
    store.push(up(last + 1, (last += count)));
    return state().isFast;
  };
  expect(state().isFast).toBe(false);
  expect([8, 9, 8, 5, 4, 5, 8, 20, 1].map(isRushedAfter)).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
    false,
    true,
    false,
  ]);
});

test('listeners are notified of every change until they unsubscribe', async () => {
  const { store } = await startWith(5, 3);
  let heard = 0;
  const leave = store.subscribe(() => heard++);
  store.push(up(6, 6));
  leave();
  store.push(up(7, 7));
  expect(heard).toBe(1);
});
