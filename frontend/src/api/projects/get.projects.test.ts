import { expect, test } from '@jest/globals';
import { QueryObserver } from '@tanstack/react-query';
import { projectsQuery } from './get.projects';
import { createQueryClient } from '../cache/query.client';

const failing = (accessToken: string | null) => {
  let asked = 0;
  const options = {
    ...projectsQuery(accessToken),
    queryFn: () => {
      asked++;
      return Promise.reject(new Error('503: resting'));
    },
  };
  return { options, asked: () => asked };
};

test('the projects are fetched only with a token, and a failure is not retried', async () => {
  const client = createQueryClient();
  const without = failing(null);
  const stop = new QueryObserver(client, without.options).subscribe(() => undefined);
  stop();
  expect(without.asked()).toBe(0);

  const { options, asked } = failing('token');
  const observer = new QueryObserver(client, options);
  const failed = new Promise((resolve) => observer.subscribe(({ error }) => error && resolve(error.message)));
  expect(await failed).toBe('503: resting');
  expect(asked()).toBe(1);
  observer.destroy();
  client.clear();
});

test('the projects are fresh for 5 minutes and stay cached for 5 minutes after their last use', () => {
  const client = createQueryClient();
  const { queryKey, staleTime } = projectsQuery('token');
  const isStaleAt = (minutes: number) => {
    client.setQueryData(queryKey, [], { updatedAt: Date.now() - minutes * 60_000 });
    return client.getQueryCache().find({ queryKey })?.isStaleByTime(Number(staleTime));
  };
  expect([isStaleAt(4.9), isStaleAt(5.1)]).toEqual([false, true]);
  expect(client.getQueryCache().find({ queryKey })?.options.gcTime).toBe(5 * 60_000);
  client.clear();
});
