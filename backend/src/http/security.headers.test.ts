import { describe, expect, test } from '@jest/globals';
import { fastify } from 'fastify';
import { parseEnvironment } from '../config/environment.js';
import { securityHeaders, sendSecurityHeaders } from './security.headers.js';

/** Where games may run in frames. */
const games = ['http://playground.localhost:3000', 'http://localhost:*', 'http://127.0.0.1:*'];

function policy(variables: Record<string, string>): Record<string, string[]> {
  const { contentSecurityPolicy } = securityHeaders(parseEnvironment({ NODE_ENV: 'test', ...variables }));
  return (contentSecurityPolicy as { directives: Record<string, string[]> }).directives;
}

test('a page may connect to WalletConnect’s relay, and show its frame, only with a project id', () => {
  const without = policy({});
  expect(JSON.stringify(without)).not.toContain('walletconnect');
  const { connectSrc, frameSrc, ...rest } = policy({ WALLETCONNECT_ID: 'project' });
  expect(connectSrc).toEqual([
    ...(without['connectSrc'] ?? []),
    'https://*.walletconnect.org',
    'wss://*.walletconnect.org',
  ]);
  expect(frameSrc).toEqual(["'self'", 'https://verify.walletconnect.org', ...games]);
  expect({ ...without, ...rest }).toEqual(without);
});

test('a page may show a frame of another site only if FRAME_ORIGINS lists its origin', () => {
  const without = policy({});
  expect(without['frameSrc']).toEqual(["'self'", ...games]);
  const { frameSrc, ...rest } = policy({
    FRAME_ORIGINS: 'https://docs.example.com, https://b.example.com:8443',
  });
  expect(frameSrc).toEqual(["'self'", 'https://docs.example.com', 'https://b.example.com:8443', ...games]);
  expect({ ...without, ...rest }).toEqual(without);
});

describe('the headers of every response', () => {
  async function headersAt(PUBLIC_URL: string) {
    const instance = fastify();
    await sendSecurityHeaders(instance, parseEnvironment({ NODE_ENV: 'test', PUBLIC_URL }), ["'sha256-x'"]);
    instance.get('/', () => 'content');
    const { headers } = await instance.inject('/');
    const { 'content-security-policy': policy, ...others } = headers;
    for (const name of ['content-length', 'content-type', 'date', 'connection']) delete others[name];
    return { policy: String(policy).split(';').sort(), others };
  }
  const others = {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
  const policyWith = (socket: string, playground = '') => [
    "base-uri 'none'",
    `connect-src 'self' ${socket} http://localhost:* http://127.0.0.1:*`,
    "default-src 'self'",
    "font-src 'self' data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `frame-src 'self'${playground} http://localhost:* http://127.0.0.1:*`,
    "img-src 'self' data: https:",
    "object-src 'none'",
    "script-src 'self' 'sha256-x'",
    "style-src 'self' 'unsafe-inline'",
  ];

  test('allow a page only what it needs', async () => {
    expect(await headersAt('http://localhost:3000')).toEqual({
      policy: policyWith('ws://localhost:3000', ' http://playground.localhost:3000'),
      others,
    });
  });

  test('also keep browsers on https if the portal is there', async () => {
    expect(await headersAt('https://portal.example.com')).toEqual({
      policy: [...policyWith('wss://portal.example.com'), 'upgrade-insecure-requests'],
      others: { ...others, 'strict-transport-security': 'max-age=31536000; includeSubDomains' },
    });
  });
});
