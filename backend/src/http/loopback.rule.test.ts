import { expect, test } from '@jest/globals';
import { isLoopback } from './loopback.rule.js';

test.each(['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::FFFF:127.1.2.3'])(
  '%s is this machine',
  (address) => expect(isLoopback(address)).toBe(true),
);

test.each([
  '192.0.2.7',
  '10.127.0.1',
  '1270.0.0.1',
  '127.evil.example',
  '::ffff:192.0.2.127',
  '::2',
  '2001:db8::1',
  'fe80::1%eth0',
  '0.0.0.0',
  'localhost',
  '',
  undefined,
])('%s is not this machine', (address) => expect(isLoopback(address)).toBe(false));
