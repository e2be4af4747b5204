import type { FastifyRequest } from 'fastify';

/**
 * The value of a cookie made of URL-safe characters (`A-Z a-z 0-9 _ -`); null if it is missing or contains other
 * characters.
 */
export function cookieOf(request: Pick<FastifyRequest, 'headers'>, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value !== undefined && /^[\w-]+$/.test(value) ? value : null;
  }
  return null;
}
