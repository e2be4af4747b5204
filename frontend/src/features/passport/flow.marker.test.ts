import { describe, expect, test } from '@jest/globals';
import { beginFlow, endFlow, isWelcome } from './flow.marker';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  } as unknown as Storage;
}

const minute = 60_000;
const hour = 60 * minute;

/** An unsigned token; `expires` in milliseconds since the epoch. */
function token(sub: string, expires = 24 * hour): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub, exp: expires / 1000 })}.x`;
}

describe('a callback while nobody is signed in', () => {
  test.each([
    ['nothing stored', null],
    ['an expired token', token('ann', minute)],
    ['an unreadable token', 'Bearer undefined'],
  ])('is welcome with %s, begun here or not', (_, current) => {
    expect(isWelcome(token('ben'), current, hour, memory())).toBe(true);
  });
});

describe('a callback while somebody is signed in', () => {
  test('is not welcome when no sign-in began in this tab, not even with the same person', () => {
    expect(isWelcome(token('ann'), token('ann'), hour, memory())).toBe(false);
  });

  test('is welcome for 30 minutes after a sign-in began here with nobody signed in', () => {
    const storage = memory();
    beginFlow(hour, null, storage);
    const isWelcomeAt = (now: number) => isWelcome(token('ben'), token('ann'), now, storage);
    expect(isWelcomeAt(hour)).toBe(true);
    expect(isWelcomeAt(hour + 30 * minute - 1)).toBe(true);
    expect(isWelcomeAt(hour + 30 * minute)).toBe(false);
    expect(isWelcomeAt(hour - 1)).toBe(false);
  });

  test('counts somebody whose token had expired when it began as nobody', () => {
    const storage = memory();
    beginFlow(hour, token('ann', hour), storage);
    expect(isWelcome(token('ben'), token('ann'), hour, storage)).toBe(true);
  });

  test('begun to link another method, is welcome as the same person and as nobody else', () => {
    const storage = memory();
    beginFlow(hour, token('ann'), storage);
    expect(isWelcome(token('ann'), token('ann', 25 * hour), hour, storage)).toBe(true);
    expect(isWelcome(token('mallory'), token('ann'), hour, storage)).toBe(false);
    expect(isWelcome('Bearer undefined', token('ann'), hour, storage)).toBe(false);
    expect(isWelcome(null, token('ann'), hour, storage)).toBe(false);
  });

  test('is not welcome once the sign-in begun here ended', () => {
    const storage = memory();
    beginFlow(hour, null, storage);
    endFlow(storage);
    expect(isWelcome(token('ben'), token('ann'), hour, storage)).toBe(false);
  });

  test.each(['soon', '9999999', '', '{}', '{"at":"3600000"}', '[]'])(
    'is not welcome by a mark that reads %j',
    (mark) => {
      const storage = memory();
      storage.setItem('portal-sign-in-began', mark);
      expect(isWelcome(token('ben'), token('ann'), hour, storage)).toBe(false);
    },
  );
});
