import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { permissionsPolicy } from '../http/security.headers.js';

/** Whether a request is for the playground's origin, by its `Host` header. */
export function isForPlayground(origin: string | null): (request: IncomingMessage) => boolean {
  if (origin === null) return () => false;
  const { host } = new URL(origin);
  return ({ headers }) => headers.host === host;
}

/**
 * Serves the playground's own origin, where games run: nothing of the portal, and a policy that allows games everything
 * on this origin and nothing outside it. Only the portal's pages may frame it. Listens on no port.
 */
export async function playgroundServer(webRoot: string, publicUrl: string): Promise<FastifyInstance> {
  const server = Fastify({ logger: false });
  const policy = policyOf(publicUrl);
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers({
      'content-security-policy': policy,
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'permissions-policy': permissionsPolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    done();
  });
  await server.register(fastifyStatic, {
    root: join(webRoot, 'playground'),
    cacheControl: false,
    index: 'index.html',
    wildcard: true,
  });
  server.setNotFoundHandler((_request, reply) => {
    void reply
      .status(404)
      .type('text/plain; charset=utf-8')
      .send(`Games run here, in a frame of ${publicUrl}. Nothing else does.`);
  });
  await server.ready();
  return server;
}

/** Games evaluate strings, make workers and decode data; none of it reaches another origin. */
const policyOf = (publicUrl: string): string =>
  [
    "default-src 'self' data: blob:",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'none'",
    `frame-ancestors ${publicUrl}`,
  ].join('; ');
