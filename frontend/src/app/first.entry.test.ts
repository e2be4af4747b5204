import { expect, test } from '@jest/globals';
import { nameFirstEntry } from './first.entry';

/** A history entry as `nameFirstEntry` sees it. */
const entryWith = (state: unknown) => ({
  state,
  replaceState(next: unknown) {
    this.state = next;
  },
});

test('each first history entry of a document gets its own key and keeps its other state', () => {
  const [typed, other] = [entryWith(null), entryWith({ usr: 'kept' })];
  nameFirstEntry(typed);
  nameFirstEntry(other);
  expect(typed.state).toEqual({ key: expect.stringMatching(/^[a-z0-9]{4,8}$/) });
  expect(other.state).toEqual({ usr: 'kept', key: expect.any(String) });
  expect((typed.state as { key: string }).key).not.toBe((other.state as { key: string }).key);
});

test('a history entry that is opened again keeps its key', () => {
  const entry = entryWith({ key: 'known', idx: 3 });
  nameFirstEntry(entry);
  expect(entry.state).toEqual({ key: 'known', idx: 3 });
});
