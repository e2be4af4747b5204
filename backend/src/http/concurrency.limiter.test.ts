import { expect, test } from '@jest/globals';
import { ConcurrencyLimiter } from './concurrency.limiter.js';

test('operations of one name beyond the limit are refused until one of them ends, however it ends', async () => {
  const limiter = new ConcurrencyLimiter(2);
  const refused = { code: 'request.rateLimited', retryAfterSeconds: 1 };
  const endings: ((failure?: Error) => void)[] = [];
  const run = (name: string) =>
    limiter.run(
      name,
      () =>
        new Promise<void>((resolve, reject) =>
          endings.push((failure) => (failure ? reject(failure) : resolve())),
        ),
    );
  const [first, second] = [run('a'), run('a')];
  await expect(run('a')).rejects.toMatchObject(refused);
  const other = run('b');

  endings[0]?.();
  await first;
  const third = run('a');
  await expect(run('a')).rejects.toMatchObject(refused);
  endings[1]?.(new Error('failed'));
  await expect(second).rejects.toThrow('failed');
  const fourth = run('a');
  await expect(run('a')).rejects.toMatchObject(refused);

  for (const end of endings) end();
  await Promise.all([third, fourth, other]);
});
