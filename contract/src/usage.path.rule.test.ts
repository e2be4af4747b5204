import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { storedPath } from './usage.path.rule.js';

test.each([
  ['/api/v1/wallet/balances', '/api/v1/wallet/balances'],
  ['/api/v1/wallet/balance/', '/api/v1/wallet/balance/'],
  ['/', '/'],
  ['/wallet?address=0x1&key=secret', '/wallet'],
  ['/api/v1/erc20/transfer_from', '/api/v1/erc20/transfer_from'],
  ['/users/ada@example.org', '/users/…'],
  ['/users/ada%40example.org', '/users/…'],
  ['/keys/oid_0000000000000000000000000003p0gjZ', '/keys/…'],
  ['/wallets/0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '/wallets/…'],
  ['/users/0193d6a0-0000-7000-8000-000000000000', '/users/…'],
  ['/cards/4242424242424242', '/cards/…'],
  ['/t/eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '/t/…'],
  ['/=1+1', '/…'],
  ['/api/v1/kye', '/api/v1/kye'],
  ['/api/v1/{address}', '/api/v1/{address}'],
  ['/api/v1/wallets/%7Baddress%7D/balance', '/api/v1/wallets/{address}/balance'],
  ['/api/v1/tokens/:id', '/api/v1/tokens/:id'],
  ['/api/v1/key,', '/api/v1/key,'],
  ['/api/v1/get-wallet-balance-v2', '/api/v1/get-wallet-balance-v2'],
  ['/api/v1/getWalletBalance2', '/api/v1/getWalletBalance2'],
  ['/api/v1/{0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045}', '/api/v1/…'],
  ['/users/u8f3k2-x9d', '/users/u8f3k2-x9d'],
  ['/users/u8f3k2x9d4e5', '/users/…'],
  ['/users/k3x9p2m-a7qzz9', '/users/…'],
  ['/orders/12345', '/orders/…'],
  ['/users/%40ada', '/users/…'],
  ['/a/b/c/d/e/f/g/h', '/a/b/c/d/e/f/…'],
])('%s is stored as %s', (url, stored) => expect(storedPath(url)).toBe(stored));

test('for any request, the stored path is short and contains no control character or formula sign', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 5_000 }), (url) => {
      const stored = storedPath(`/${url}`);
      expect(stored.length).toBeLessThanOrEqual(6 * 33 + 2);
      expect(stored).toMatch(/^[A-Za-z0-9._/…{}:(),;!-]*$/);
    }),
  );
});
