import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Whether a path is below those of the identity service and its profiles, as the router decodes it. */
export function isOfIdentity(path: string): boolean {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // No route gets this path.
  }
  return /^\/api\/v1\/(auth|message|settings|user|economy)(?:\/|$)/i.test(decoded);
}

/**
 * The paths that a page of another portal requests: the identity service, its profile, and the widget's files, one of
 * which is a module and therefore fetched with CORS.
 */
const shared = /^\/(api\/v1\/(auth|message|settings|user|economy)|widget|\.well-known)\//;

/**
 * The routes that apps call. They answer every origin, so that a page whose origin is not allowed can show why:
 * `TenantGuard`, or the access token's own tenant, decides what the page may do.
 */
const ofTenants =
  /^\/api\/v1\/(auth\/(email\/(login|register|reset|password)|user|logout|refresh|widget|appearance(\/panel)?)|message\/(nonce|verify)|settings\/version|economy\/\w+)(\?|$)/;

/** Files and keys that are the same for everybody. */
const isPublic = /^\/(widget|\.well-known)\//;

/**
 * Lets pages of other origins sign in here (Fetch standard, CORS): those of apps may call the routes of tenants, those
 * of other portals (`origins`) all identity routes. No cookies: a bearer token authorises, and the identity client sends
 * no cookies. `servesTenants` is false with a hosted identity service.
 */
export function allowOrigins(
  fastify: FastifyInstance,
  { portals, servesTenants }: { portals: readonly string[]; servesTenants: boolean },
): void {
  if (portals.length === 0 && !servesTenants) return;
  fastify.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!shared.test(request.url)) return undefined;
    const origin = answeredOrigin(request);
    if (origin !== '*') void reply.header('vary', 'Origin');
    if (origin === null) return undefined;
    void reply.header('access-control-allow-origin', origin);
    if (request.method !== 'OPTIONS') {
      void reply.header('access-control-expose-headers', 'Retry-After, X-Request-Id');
      return undefined;
    }
    return reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, DELETE')
      .header(
        'access-control-allow-headers',
        'Authorization, Content-Type, Ocp-Apim-Subscription-Key, X-Time-Zone',
      )
      .header('access-control-max-age', '600')
      .send();
  });

  function answeredOrigin({ url, headers: { origin } }: FastifyRequest): string | null {
    if (servesTenants && isPublic.test(url)) return '*';
    if (origin === undefined || origin === 'null') return null;
    return portals.includes(origin) || (servesTenants && ofTenants.test(url)) ? origin : null;
  }
}
