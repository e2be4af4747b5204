import { expect, test } from '@jest/globals';
import { startTestApp } from '../testing/test.app.js';
import { WAITS, waits } from './waits.js';

test('a portal waits as long as is promised, and its copy is its own', async () => {
  const portal = await startTestApp();
  try {
    const own = portal.app.get(WAITS);
    expect(own).toEqual({
      commitMs: 5_000,
      chainMs: 5_000,
      startLockMs: 5_000,
      socketSignInMs: 5_000,
      slowSocketMs: 15_000,
    });
    expect(own).not.toBe(waits);
  } finally {
    await portal.close();
  }
});
