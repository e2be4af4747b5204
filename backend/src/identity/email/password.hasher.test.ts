import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type * as Argon2 from '@node-rs/argon2';
import { PasswordHasher } from './password.hasher.js';

/** The hasher's functions: the real ones, wrapped in spies. */
const argon2 = jest.requireActual<typeof Argon2>('@node-rs/argon2');
let hash: jest.SpiedFunction<typeof Argon2.hash>;
let verify: jest.SpiedFunction<typeof Argon2.verify>;

describe('PasswordHasher', () => {
  beforeEach(() => {
    hash = jest.spyOn(argon2, 'hash');
    verify = jest.spyOn(argon2, 'verify');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('uses argon2id with 19 MiB, two passes, and a new salt each time', async () => {
    const hasher = new PasswordHasher();
    const first = await hasher.hash('a long enough password');
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.hash('a long enough password')).not.toBe(first);
    expect(await hasher.verify(first, 'a long enough password')).toBe(true);
    expect(await hasher.verify(first, 'a long enough passwore')).toBe(false);
  });

  test('without a stored password it does the same work and returns false', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('secret');
    await hasher.verify(stored, 'secret');
    expect(await hasher.verify(null, 'secret')).toBe(false);
    expect(verify).toHaveBeenCalledTimes(2);
    const [known, unknown] = verify.mock.calls.map(([against]) => argon2.parseOptions(against));
    expect(unknown).toEqual(known);
  });

  test('runs two at a time, in order, and refuses with the time to wait if the queue is full', async () => {
    const hasher = new PasswordHasher();
    await hasher.verify(null, 'the decoy is ready');
    hash.mockClear();
    let running = 0;
    let most = 0;
    const started: number[] = [];
    const releases: (() => void)[] = [];
    hash.mockImplementation(async (password) => {
      started.push(Number(password));
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => releases.push(resolve));
      running--;
      return 'hashed';
    });
    const work = Array.from({ length: 202 }, (_, i) => hasher.hash(String(i)));
    await expect(hasher.hash('one too many')).rejects.toMatchObject({
      code: 'request.rateLimited',
      retryAfterSeconds: 5,
    });
    const finished = Promise.all(work);
    while (releases.length > 0) {
      releases.shift()?.();
      await new Promise(setImmediate);
    }
    await finished;
    expect(most).toBe(2);
    expect(started).toEqual(Array.from({ length: 202 }, (_, i) => i));
  });

  test('a failed hash frees its slot', async () => {
    const hasher = new PasswordHasher();
    hash.mockRejectedValueOnce(new Error('out of memory')).mockRejectedValueOnce(new Error('out of memory'));
    const failing = [hasher.hash('a'), hasher.hash('b')];
    await expect(failing[0]).rejects.toThrow('out of memory');
    await expect(failing[1]).rejects.toThrow('out of memory');
    hash.mockResolvedValue('hashed');
    expect(await Promise.all([hasher.hash('c'), hasher.hash('d'), hasher.hash('e')])).toHaveLength(3);
  });
});
