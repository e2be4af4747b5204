import { setTimeout as wait } from 'node:timers/promises';

interface Answered {
  status: number;
  headers: Headers;
}

/**
 * The answers to requests that the portal took. On a busy machine it refuses some of many concurrent ones with 503 and
 * Retry-After, and those change nothing.
 */
export const taken = <T extends Answered>(answers: T[]): T[] =>
  answers.filter(({ status, headers }) => status !== 503 || !headers.has('retry-after'));

/** The first answer to a request that the portal took, asked again after the time that each refusal gives. */
export async function untilTaken<T extends Answered>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (taken([answer]).length === 1) return answer;
    await wait(Number(answer.headers.get('retry-after')) * 1000);
  }
}
