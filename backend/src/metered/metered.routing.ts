import { appPageAt } from '@orange-id/contract/app.routes';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import {
  isIllustrated,
  meteredMethodsOf,
  meteredTemplateOf,
  pathOf,
} from '@orange-id/contract/metered.match';
import { apiKeyHeader } from '@orange-id/contract/metered.paths';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isOfIdentity } from '../http/origins.cors.js';
import { isPreflightOf, requestedHeadersOf } from './metered.preflight.js';

/**
 * Whether a request is for a metered route, or for one that the documentation illustrates; all others go to Nest.
 */
export function isMetered({ method = '', url }: IncomingMessage): boolean {
  const path = pathOf(url);
  const template = meteredTemplateOf(path);
  if (template === undefined) return isIllustrated(method, path);
  return answeredMethodsOf(template).includes(method);
}

/** Whether a path is of the API that takes keys, known or not. */
export const isOfApi = (path: string): boolean => path.startsWith('/api/v1/') && !isOfIdentity(path);

/**
 * Routes requests for an unknown path or method of the API to the metered server, which responds so that a page can
 * read why, and records those with an API key. With a key, or a preflight that asks for one, unknown paths elsewhere are
 * included, except those with a dot outside `/api/`, which may be files of a page.
 */
export function meterUnknownPaths(nest: FastifyInstance, metered: FastifyInstance): void {
  nest.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.raw.url);
    const isPreflight = isPreflightOf(request);
    if (request.method === 'OPTIONS' && (!isPreflight || isOfIdentity(path))) return done();
    const hasKey = isPreflight
      ? /\bx-api-key\b/i.test(requestedHeadersOf(request))
      : request.headers[apiKeyHeader] !== undefined;
    if (!hasKey && !isOfApi(path)) return done();
    const isUnknown =
      request.is404 ||
      (request.routeOptions.url === '/*' &&
        (path.startsWith('/api/') || !path.includes('.')) &&
        appPageAt(path) === undefined);
    if (!isUnknown) return done();
    reply.hijack();
    request.isPassedOn = true;
    metered.routing(request.raw, reply.raw);
  });
}

/** Why no route answers a request; names the methods of a known path in `Allow`. */
export function unknownPathError({ method, raw }: FastifyRequest, reply: FastifyReply): ErrorCode {
  const path = pathOf(raw.url);
  if (isIllustrated(method, path)) return 'route.illustration';
  const template = meteredTemplateOf(path);
  if (template === undefined) return 'route.notFound';
  reply.header('allow', answeredMethodsOf(template).join(', '));
  return 'route.methodNotAllowed';
}

/** The methods that a path template answers, including `OPTIONS` for a browser's preflight. */
const answeredMethodsOf = (template: string): string[] => [...meteredMethodsOf(template), 'OPTIONS'];
