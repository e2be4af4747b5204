import helmet from '@fastify/helmet';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../config/environment.js';

/** `Permissions-Policy` of every response: devices that no page of the portal uses, nor anything it frames or loads. */
export const permissionsPolicy = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * What a popup of an app shows on its way through a sign-in, redirects included. Any other policy would separate it from
 * the page that opened it, which waits for its message.
 */
const keepsOpener =
  /^\/(login|api\/v1\/auth\/(authorize|consent|(GOOGLE|APPLE)(\/callback)?)|dev\/openid\/[^?]*)\/?(\?|$)/;

/** Sets the headers below on every response, including those that a route writes to the connection directly. */
export async function sendSecurityHeaders(
  instance: FastifyInstance,
  environment: Environment,
  scripts: string[],
): Promise<void> {
  await instance.register(helmet, securityHeaders(environment, { scripts }));
  const servesTenants = environment.IDENTITY_URL === undefined;
  instance.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader('permissions-policy', permissionsPolicy);
    if (servesTenants && keepsOpener.test(request.url)) {
      void reply.header('cross-origin-opener-policy', 'unsafe-none');
    }
    done();
  });
}

/** A server on the developer's own machine: the playground shows its game, and asks first whether it answers. */
const ownMachine = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * The headers of every response. antd writes style elements, hence `unsafe-inline` for styles; scripts are files, or
 * inline ones whose hashes `scripts` lists. `framedBy` self is for a page that the app's own pages show in a frame.
 */
export function securityHeaders(
  environment: Environment,
  { framedBy = 'none', scripts = [] }: { framedBy?: 'none' | 'self'; scripts?: string[] } = {},
): FastifyHelmetOptions {
  const isHttps = environment.PUBLIC_URL.startsWith('https:');
  // The panel of a hosted identity service runs in the portal's pages, from its origin or from where its files are
  // hosted.
  const hosted = environment.IDENTITY_URL
    ? [environment.IDENTITY_URL, ...(environment.IDENTITY_WIDGET_ORIGINS ?? [])]
    : [];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts, ...hosted],
        styleSrc: ["'self'", "'unsafe-inline'", ...hosted],
        // User photos come from wherever the profiles are stored.
        imgSrc: [
          "'self'",
          'data:',
          'https:',
          ...hosted,
          ...(environment.PROFILE_SERVICE_URL ? [environment.PROFILE_SERVICE_URL] : []),
        ],
        fontSrc: ["'self'", 'data:', ...hosted],
        connectSrc: [
          "'self'",
          ...hosted,
          environment.PUBLIC_URL.replace(/^http/, 'ws'),
          ...ownMachine,
          ...(environment.WALLETCONNECT_ID
            ? ['https://*.walletconnect.org', 'wss://*.walletconnect.org']
            : []),
        ],
        // Through this frame, WalletConnect verifies the page for wallets. Without it, pairing waits 5 s.
        frameSrc: [
          "'self'",
          ...(environment.WALLETCONNECT_ID ? ['https://verify.walletconnect.org'] : []),
          ...(environment.FRAME_ORIGINS ?? []),
          // Games.
          ...(environment.PLAYGROUND_ORIGIN === null ? [] : [environment.PLAYGROUND_ORIGIN]),
          ...ownMachine,
        ],
        frameAncestors: [`'${framedBy}'`],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: framedBy === 'none' ? 'deny' : 'sameorigin' },
  };
}
