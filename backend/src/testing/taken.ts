import { setTimeout as wait } from 'node:timers/promises';

interface Answered {
  status: number;
  headers: Headers;
}

/**
 * The responses to requests that the portal accepted. On a busy machine it refuses some concurrent requests with 503
 * and Retry-After; those change nothing.
 */
export const taken = <T extends Answered>(answers: T[]): T[] =>
  answers.filter(({ status, headers }) => status !== 503 || !headers.has('retry-after'));

/** Repeats a request after the time in each refusal's Retry-After; returns the first other response. */
export async function untilTaken<T extends Answered>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (taken([answer]).length === 1) return answer;
    await wait(Number(answer.headers.get('retry-after')) * 1000);
  }
}
