import { describe, expect, test } from '@jest/globals';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import fc from 'fast-check';
import { sequenceRows } from './sequence.rule';

const seqs = (rows: UsageRow[]) => rows.map((r) => r.seq);

describe('sequenceRows', () => {
  test('delivers consecutive rows and drops rows already delivered', () => {
    const { ready, waiting, held } = sequenceRows(
      4,
      [],
      [4, 6, 5].map((seq) => usageRowOf(seq)),
    );
    expect(seqs(ready)).toEqual([5, 6]);
    expect(waiting).toEqual([]);
    expect(held).toBe(6);
  });

  test('holds rows after a gap until it is filled', () => {
    const first = sequenceRows(
      4,
      [],
      [5, 8, 9].map((seq) => usageRowOf(seq)),
    );
    expect(seqs(first.ready)).toEqual([5]);
    expect(seqs(first.waiting)).toEqual([8, 9]);
    const second = sequenceRows(
      first.held,
      first.waiting,
      [6, 7].map((seq) => usageRowOf(seq)),
    );
    expect(seqs(second.ready)).toEqual([6, 7, 8, 9]);
    expect(second).toMatchObject({ waiting: [], held: 9 });
  });

  test('delivers each row once and in order, however rows are cut, doubled or shuffled', () => {
    const pushes = fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }), { maxLength: 20 });
    fc.assert(
      fc.property(pushes, (batches) => {
        let state = { held: 0, waiting: [] as UsageRow[] };
        const delivered: number[] = [];
        for (const batch of [...batches, Array.from({ length: 40 }, (_, i) => i + 1)]) {
          const next = sequenceRows(
            state.held,
            state.waiting,
            batch.map((seq) => usageRowOf(seq)),
          );
          delivered.push(...seqs(next.ready));
          state = next;
        }
        expect(delivered).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      }),
    );
  });
});
