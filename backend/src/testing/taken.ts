/**
 * The answers to requests that the portal took. On a busy machine it refuses some of many concurrent ones with 503 and
 * Retry-After, and those change nothing.
 */
export const taken = <T extends { status: number; headers: Headers }>(answers: T[]): T[] =>
  answers.filter(({ status, headers }) => status !== 503 || !headers.has('retry-after'));
