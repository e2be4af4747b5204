import { expect, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { setImmediate } from 'node:timers/promises';
import { readCurrent } from './read.current';

const queryKey = ['calls'];

/** A query whose requests wait until the test answers them. */
function show() {
  const client = new QueryClient();
  const answers: ((calls: number) => void)[] = [];
  const queryFn = () => new Promise<number>((resolve) => answers.push(resolve));
  const hide = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  return { client, answers, hide };
}

test('a request under way ends first, and a new one follows it', async () => {
  const { client, answers } = show();
  const reading = readCurrent(client, queryKey);
  expect(answers).toHaveLength(1);
  answers[0]?.(0);
  while (answers.length < 2) await setImmediate();
  expect(client.getQueryData(queryKey)).toBe(0);
  answers[1]?.(1);
  await reading;
  expect([client.getQueryData(queryKey), answers.length]).toEqual([1, 2]);
});

test('without a request under way there is one', async () => {
  const { client, answers } = show();
  answers[0]?.(0);
  while (client.isFetching() > 0) await setImmediate();
  const reading = readCurrent(client, queryKey);
  answers[1]?.(1);
  await reading;
  expect([client.getQueryData(queryKey), answers.length]).toEqual([1, 2]);
});

test('a query that is hidden meanwhile is not requested again', async () => {
  const { client, answers, hide } = show();
  const reading = readCurrent(client, queryKey);
  hide();
  answers[0]?.(0);
  await reading;
  expect(answers).toHaveLength(1);
});
