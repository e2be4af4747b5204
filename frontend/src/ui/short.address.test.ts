import { expect, test } from '@jest/globals';
import { shortAddress } from './short.address';

test.each([
  ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '0xd8dA6...7aA96045'],
  ['1234567890123456', '1234567...90123456'],
  ['orange.wam', 'orange.wam'],
  ['123456789012345', '123456789012345'],
  ['', ''],
])('the address %j is shown as %j', (address, shown) => {
  expect(shortAddress(address)).toBe(shown);
});
