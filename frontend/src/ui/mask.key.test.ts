import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import { expect, test } from '@jest/globals';
import { maskBetween, maskKey } from './mask.key';

const key = 'oid_4fGhJk2mNpQrStVwXyZ1a2b3c4d5e6f7g8';

test('a masked key shows its first 8 and last 4 characters and keeps its length', () => {
  expect(maskKey(key)).toBe('oid_4fGh••••••••••••••••••••••••••f7g8');
});

test('a key of which only the ends are known is masked with the same ends', () => {
  expect(maskBetween(apiKeyEnds(key))).toBe('oid_4fGh••••f7g8');
});

test.each(['', 'a', '12345678901234567890123'])('the short key %j is fully masked', (short) => {
  expect(maskKey(short)).toBe('•'.repeat(short.length));
});
