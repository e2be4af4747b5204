import { expect, test } from '@jest/globals';
import { getAddress } from 'viem';
import { tokenText } from './token.text.js';
import { tokenList } from './token.list.js';

test('every address of the token list has its checksum, and no address, symbol or feed occurs twice', () => {
  const feeds = tokenList.flatMap(({ feed }) => (feed ? [feed.address] : []));
  const addresses = [...tokenList.map(({ address }) => address), ...feeds];
  for (const address of addresses) expect(getAddress(address.toLowerCase())).toBe(address);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(new Set(tokenList.map(({ symbol }) => symbol)).size).toBe(tokenList.length);
});

test('names, symbols and pairs of the token list are plain text', () => {
  for (const { name, symbol, decimals, feed } of tokenList) {
    expect([name, symbol]).toEqual([tokenText(name, 64), tokenText(symbol, 32)]);
    expect(name).toMatch(/^[A-Z0-9]/);
    expect(decimals).toBeGreaterThanOrEqual(6);
    expect(decimals).toBeLessThanOrEqual(18);
    if (feed) expect(feed.pair).toMatch(/^[A-Z]+ \/ USD$/);
  }
});
