import { apiKeyHeader } from '@orange-id/contract/metered.paths';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const isPreflightOf = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

export const requestedHeadersOf = ({ headers }: FastifyRequest): string =>
  headers['access-control-request-headers'] ?? '';

/**
 * Lets a page send any call, without credentials, so that it can read why one fails. All headers that it asks for are
 * allowed, because tracing libraries add some to every call of a page; routes read those they document.
 */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const requested = requestedHeadersOf(request);
  const isList = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/.test(requested);
  void reply
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': isList ? requested : `${apiKeyHeader}, content-type`,
      'access-control-max-age': '86400',
    })
    .code(204)
    .send();
}
