import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * What a page of another portal calls: the identity service, the profile that belongs to it, and the widget's files,
 * of which one is a module and so fetched with CORS.
 */
const shared = /^\/(api\/v1\/(auth|message|settings|user|economy)|widget|\.well-known)\//;
/** Binds the browser to who is signed in, which is what the cookie is for. */
const binding = '/api/auth/bedrock';

/**
 * Lets pages of other portals sign in here: exactly these origins may read the identity routes (Fetch standard, CORS).
 * No cookies but for the binding: a bearer authorises, and the identity client sends none.
 */
export function allowPortals(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  fastify.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const isBinding = request.url === binding;
    if (!isBinding && !shared.test(request.url)) return undefined;
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return undefined;
    void reply.header('access-control-allow-origin', origin);
    if (isBinding) void reply.header('access-control-allow-credentials', 'true');
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
