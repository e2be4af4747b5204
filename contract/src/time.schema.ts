import { z } from 'zod';

/** The first and the last time that `givenTime` accepts, in ms since the epoch. */
export const firstTime = Date.parse('0001-01-01T00:00:00.000Z');
export const lastTime = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time that a client sends: ISO 8601 with `Z` or an offset. Only the years 0001 to 9999 in UTC, because PostgreSQL
 * has no year 0000, and ISO 8601 no year 10000. `example` ends the error.
 */
export const givenTime = (example = '2026-01-31T12:00:00Z') => {
  const error = `must be an ISO 8601 time in the years 0001 to 9999, such as ${example}`;
  return z.iso
    .datetime({ offset: true, error, abort: true })
    .refine((text) => Date.parse(text) >= firstTime && Date.parse(text) <= lastTime, error);
};
