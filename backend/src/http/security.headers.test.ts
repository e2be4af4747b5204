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
