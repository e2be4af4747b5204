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

  test('is welcome as the same person for 30 minutes after a sign-in began in this tab', () => {
    const storage = memory();
    beginFlow(hour, storage);
    const isWelcomeAt = (now: number) => isWelcome(token('ann', 26 * hour), token('ann'), now, storage);
    expect(isWelcomeAt(hour)).toBe(true);
    expect(isWelcomeAt(hour + 30 * minute - 1)).toBe(true);
    expect(isWelcomeAt(hour + 30 * minute)).toBe(false);
    expect(isWelcomeAt(hour - 1)).toBe(false);
  });

  test.each([
    ["a stranger's tokens", token('mallory')],
    ['an unreadable token', 'Bearer undefined'],
    ['no token', null],
  ])('is not welcome with %s, though a sign-in began in this tab', (_, given) => {
    const storage = memory();
    beginFlow(hour, storage);
    expect(isWelcome(given, token('ann'), hour, storage)).toBe(false);
  });

  test('is not welcome where neither token names a person, unless it is the stored one', () => {
    const storage = memory();
    beginFlow(hour, storage);
    const [stored, other] = [token('', 24 * hour), token('', 25 * hour)];
    expect(isWelcome(other, stored, hour, storage)).toBe(false);
    expect(isWelcome(stored, stored, hour, storage)).toBe(true);
  });

  test('is not welcome once the sign-in begun here ended', () => {
    const storage = memory();
    beginFlow(hour, storage);
    endFlow(storage);
    expect(isWelcome(token('ann'), token('ann'), hour, storage)).toBe(false);
  });

  test.each(['soon', '9999999', '', '{}', '{"at":"3600000"}', '[]'])(
    'is not welcome by a mark that reads %j',
    (mark) => {
      const storage = memory();
      storage.setItem('portal-sign-in-began', mark);
      expect(isWelcome(token('ann'), token('ann'), hour, storage)).toBe(false);
    },
  );
});
