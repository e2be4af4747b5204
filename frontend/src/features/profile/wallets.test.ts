import { expect, test } from '@jest/globals';
import { walletsOf } from './wallets';

const first = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const second = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const linked = (label: string) => ({ provider: 'wallet' as const, label });

test('the wallet of the user record comes first, and the same linked wallet is not listed twice', () => {
  expect(walletsOf({ ethAddress: first }, [linked(second), linked(first.toLowerCase())])).toEqual([
    { chain: 'Ethereum', address: first },
    { chain: 'Ethereum', address: second },
  ]);
});

test('a WAX account is listed as a wallet, and other sign-in methods are not', () => {
  expect(
    walletsOf({ ethAddress: ' ', waxAddress: 'orange.wam' }, [
      { provider: 'google', label: 'ada@example.com' },
    ]),
  ).toEqual([{ chain: 'WAX', address: 'orange.wam' }]);
});

test('an account without wallets has an empty list', () => {
  expect(walletsOf({})).toEqual([]);
});
