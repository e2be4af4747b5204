import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * The paths that a page of another portal requests: the identity service, its profile, and the widget's files, one of
 * which is a module and therefore fetched with CORS.
 */
const shared = /^\/(api\/v1\/(auth|message|settings|user|economy)|widget|\.well-known)\//;

/**
 * Lets pages of other portals sign in here: exactly these origins may read the identity routes (Fetch standard, CORS).
 * No cookies: a bearer token authorises, and the identity client sends no cookies.
 */
export function allowPortals(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  fastify.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!shared.test(request.url)) return undefined;
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return undefined;
    void reply.header('access-control-allow-origin', origin);
    if (request.method !== 'OPTIONS') {
      void reply.header('access-control-expose-headers', 'Retry-After');
      return undefined;
    }
    return reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, DELETE')
      .header('access-control-allow-headers', 'Authorization, Content-Type, Ocp-Apim-Subscription-Key')
      .header('access-control-max-age', '600')
      .send();
  });
}
