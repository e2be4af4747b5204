import { expect, test } from '@jest/globals';
import { parseEnvironment } from '../config/environment.js';
import { securityHeaders } from './security.headers.js';

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
  expect(frameSrc).toEqual(["'self'", 'https://verify.walletconnect.org']);
  expect({ ...without, ...rest }).toEqual(without);
});

test('a page may show a frame of another site only if FRAME_ORIGINS lists its origin', () => {
  const without = policy({});
  expect(without['frameSrc']).toEqual(["'self'"]);
  const { frameSrc, ...rest } = policy({
    FRAME_ORIGINS: 'https://docs.example.com, https://b.example.com:8443',
  });
  expect(frameSrc).toEqual(["'self'", 'https://docs.example.com', 'https://b.example.com:8443']);
  expect({ ...without, ...rest }).toEqual(without);
});
