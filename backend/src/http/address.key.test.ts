import { describe, expect, test } from '@jest/globals';
import { addressKey, networkKey } from './address.key.js';

describe('addressKey', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:1:aaaa::1', '2001:db8:0:1'],
    ['2001:0DB8:0000:0001:bbbb:cccc:dddd:eeee', '2001:db8:0:1'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test('the wider key is the /48 of IPv6, and IPv4 has none', () => {
    expect(networkKey(addressKey('2001:db8:0:1:aaaa::1'))).toBe('2001:db8:0');
    expect(networkKey(addressKey('203.0.113.7'))).toBeNull();
  });
});
