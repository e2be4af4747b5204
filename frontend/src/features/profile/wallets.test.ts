import { expect, test } from '@jest/globals';
import { walletsOf } from './wallets';

const first = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const second = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const linked = (label: string) => ({ provider: 'wallet' as const, label });

test('the wallet of the user record comes first, and a linked one that is the same is not told twice', () => {
  expect(walletsOf({ ethAddress: first }, [linked(second), linked(first.toLowerCase())])).toEqual([
    { chain: 'Ethereum', address: first },
    { chain: 'Ethereum', address: second },
  ]);
});

test('a WAX account is one too, and other ways to sign in are none', () => {
  expect(
    walletsOf({ ethAddress: ' ', waxAddress: 'orange.wam' }, [
      { provider: 'google', label: 'ada@example.com' },
    ]),
  ).toEqual([{ chain: 'WAX', address: 'orange.wam' }]);
});

test('without any there are none', () => {
  expect(walletsOf({})).toEqual([]);
});
