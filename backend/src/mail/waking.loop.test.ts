import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { jobFailures } from '../jobs/job.failures.js';
import { JobLogger } from '../jobs/job.logger.js';
import { WakingLoop } from './waking.loop.js';

/** Lets all pending callbacks run. */
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('WakingLoop', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  test('a turn follows another after the requested delay, or at once when woken', async () => {
    jest.useFakeTimers();
    const turn = jest.fn(() => Promise.resolve(500));
    const loop = new WakingLoop(new JobLogger('Test', 'counting'), 'Counting', turn);
    loop.wake();
    await settle();
    expect(turn).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(499);
    expect(turn).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(turn).toHaveBeenCalledTimes(2);
    loop.wake();
    await settle();
    expect(turn).toHaveBeenCalledTimes(3);
    await jest.advanceTimersByTimeAsync(500);
    expect(turn).toHaveBeenCalledTimes(4);
    await loop.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    loop.wake();
    await settle();
    expect(turn).toHaveBeenCalledTimes(4);
  });

  test('after a wake-up during a turn another follows it, and never two run at a time', async () => {
    jest.useFakeTimers();
    const ends: (() => void)[] = [];
    const turn = jest.fn(() => new Promise<number>((resolve) => ends.push(() => resolve(500))));
    const loop = new WakingLoop(new JobLogger('Test', 'counting'), 'Counting', turn);
    loop.wake();
    loop.wake();
    await settle();
    expect(turn).toHaveBeenCalledTimes(1);
    loop.wake();
    ends.shift()?.();
    await settle();
    expect(turn).toHaveBeenCalledTimes(2);
    let isStopped = false;
    const stopping = loop.stop().then(() => (isStopped = true));
    await settle();
    expect(isStopped).toBe(false);
    ends.shift()?.();
    await stopping;
    expect(turn).toHaveBeenCalledTimes(2);
  });

  test('a failure is retried and logged once while it stays the same; a database outage is not logged here', async () => {
    jest.useFakeTimers();
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const failures: (Error | null)[] = [
      new Error('odd'),
      new Error('odd'),
      null,
      new Error('odd'),
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    ];
    const turn = jest.fn(() => {
      const failure = failures.shift() ?? null;
      return failure ? Promise.reject(failure) : Promise.resolve(1_000);
    });
    const loop = new WakingLoop(new JobLogger('Test', 'counting'), 'Counting', turn);
    loop.wake();
    await jest.advanceTimersByTimeAsync(4_500);
    expect(turn).toHaveBeenCalledTimes(5);
    const line = {
      message: 'Counting failed: Error: odd',
      job: 'counting',
      jobId: expect.any(String),
      durationMs: expect.any(Number),
      stack: expect.stringContaining('waking.loop.test'),
    };
    expect(error.mock.calls).toEqual([[line], [line]]);
    const ids = error.mock.calls.map(([{ jobId }]) => jobId as string);
    expect(new Set(ids).size).toBe(2);
    const { values } = await jobFailures.get();
    expect(values.filter(({ labels }) => labels.name === 'counting').map(({ value }) => value)).toEqual([3]);
    await loop.stop();
  });
});
