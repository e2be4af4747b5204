import { describe, expect, test } from '@jest/globals';
import { PortalError } from './portal.error.js';
import { AttemptLimiter } from './attempt.limiter.js';

const waitOf = (attempt: () => void): number | null => {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof PortalError && error.code === 'request.rateLimited') {
      return error.retryAfterSeconds ?? 0;
    }
    throw error;
  }
};

describe('AttemptLimiter', () => {
  test('six a minute means six at once, then one every ten seconds', () => {
    const limiter = new AttemptLimiter(6);
    const at = (seconds: number) => waitOf(() => limiter.take('a', 1_000_000 + seconds * 1000));
    expect([0, 0, 0, 0, 0, 0].map(at)).toEqual([null, null, null, null, null, null]);
    expect(at(0)).toBe(10);
    expect(at(9)).toBe(1);
    expect(at(10)).toBeNull();
    expect(at(10)).toBe(10);
    expect(at(70)).toBeNull();
  });

  test('supports another window and a custom message', () => {
    const limiter = new AttemptLimiter(2, 3_600_000, (seconds) => `Wait ${seconds} s`);
    limiter.take('a', 0);
    limiter.take('a', 0);
    expect(() => limiter.take('a', 0)).toThrow('Wait 1800 s');
    limiter.take('a', 1_800_000);
  });

  test('a refused attempt costs nothing, and another key has its own attempts', () => {
    const limiter = new AttemptLimiter(1);
    limiter.take('a', 0);
    for (let i = 0; i < 100; i++) expect(waitOf(() => limiter.take('a', 0))).toBe(60);
    expect(waitOf(() => limiter.take('a', 60_000))).toBeNull();
    expect(waitOf(() => limiter.take('b', 0))).toBeNull();
  });

  test('forgetting a key restores its attempts', () => {
    const limiter = new AttemptLimiter(1);
    limiter.take('a', 0);
    limiter.forget('a');
    expect(waitOf(() => limiter.take('a', 0))).toBeNull();
  });

  test('an attempt can be given back, but no more than were made', () => {
    const limiter = new AttemptLimiter(3);
    for (let i = 0; i < 3; i++) limiter.take('a', 0);
    limiter.giveBack('a', 0);
    expect(waitOf(() => limiter.take('a', 0))).toBeNull();
    expect(waitOf(() => limiter.take('a', 0))).toBe(20);
    for (let i = 0; i < 5; i++) limiter.giveBack('a', 0);
    for (let i = 0; i < 3; i++) expect(waitOf(() => limiter.take('a', 0))).toBeNull();
    expect(waitOf(() => limiter.take('a', 0))).toBe(20);
    // Attempts refilled in the meantime are not given back twice.
    limiter.take('a', 20_000);
    limiter.giveBack('a', 70_000);
    for (let i = 0; i < 3; i++) expect(waitOf(() => limiter.take('a', 80_000))).toBeNull();
    expect(waitOf(() => limiter.take('a', 80_000))).toBe(20);
  });

  test('the number of keys is bounded: the oldest are dropped first', () => {
    const limiter = new AttemptLimiter(1);
    limiter.take('first', 0);
    for (let i = 0; i < 49_999; i++) limiter.take(String(i), 0);
    expect(waitOf(() => limiter.take('first', 0))).toBe(60);
    limiter.take('one more', 0);
    expect(waitOf(() => limiter.take('first', 0))).toBeNull();
  });
});
