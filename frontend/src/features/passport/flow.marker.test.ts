import { describe, expect, test } from '@jest/globals';
import { beginFlow, endFlow, hasBegunFlow } from './flow.marker';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  } as unknown as Storage;
}

const minute = 60_000;

describe('the mark of a begun sign-in', () => {
  test('is not there before one began', () => {
    expect(hasBegunFlow(0, memory())).toBe(false);
  });

  test('holds for 30 minutes', () => {
    const storage = memory();
    beginFlow(1000, storage);
    expect(hasBegunFlow(1000, storage)).toBe(true);
    expect(hasBegunFlow(1000 + 30 * minute - 1, storage)).toBe(true);
    expect(hasBegunFlow(1000 + 30 * minute, storage)).toBe(false);
  });

  test('is gone once the sign-in ended', () => {
    const storage = memory();
    beginFlow(1000, storage);
    endFlow(storage);
    expect(hasBegunFlow(1001, storage)).toBe(false);
  });

  test.each(['soon', '9999999', ''])('does not hold when it reads %j', (value) => {
    const storage = memory();
    storage.setItem('portal-sign-in-began', value);
    expect(hasBegunFlow(2 * 30 * minute, storage)).toBe(false);
  });
});
