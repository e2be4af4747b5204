import { expect, test } from '@jest/globals';
import { maskKey } from './mask.key';

test('a masked key shows four characters at each end and keeps its length', () => {
  expect(maskKey('oid_4fGhJk2mNpQrStVwXyZ1a2b3c4d5e6f7g8')).toBe('oid_••••••••••••••••••••••••••••••f7g8');
});

test.each(['', 'a', '123456789012345'])('the short key %j is fully masked', (key) => {
  expect(maskKey(key)).toBe('•'.repeat(key.length));
});
