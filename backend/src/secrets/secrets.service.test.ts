import { describe, expect, test } from '@jest/globals';
import { SecretsService } from './secrets.service.js';

const old = new SecretsService({ current: 'a'.repeat(64), previous: null });
const rotated = new SecretsService({ current: 'b'.repeat(64), previous: 'a'.repeat(64) });
const stranger = new SecretsService({ current: 'c'.repeat(64), previous: null });

describe('secrets', () => {
  test('an encrypted value decrypts with the same purpose and context, and is not readable in the bytes', () => {
    const sealed = old.seal('api-key.store', 'oid_secret', 'row-1');
    expect(old.open('api-key.store', sealed, 'row-1')).toBe('oid_secret');
    expect(sealed.bytes.toString('latin1')).not.toContain('oid_secret');
  });

  test('encrypting twice gives different bytes', () => {
    expect(old.seal('api-key.store', 'x', 'row-1').bytes).not.toEqual(
      old.seal('api-key.store', 'x', 'row-1').bytes,
    );
  });

  test('a value with another row, another purpose or one changed bit does not decrypt', () => {
    const sealed = old.seal('api-key.store', 'oid_secret', 'row-1');
    expect(() => old.open('api-key.store', sealed, 'row-2')).toThrow();
    expect(() => old.open('signing-key.store', sealed, 'row-1')).toThrow();
    const bytes = Buffer.from(sealed.bytes);
    bytes[bytes.length - 1]! ^= 1;
    expect(() => old.open('api-key.store', { ...sealed, bytes }, 'row-1')).toThrow();
  });

  test('after a rotation old rows decrypt, new ones use the new secret, and an unrelated secret decrypts none', () => {
    const sealed = old.seal('api-key.store', 'oid_secret', 'row-1');
    expect(rotated.open('api-key.store', sealed, 'row-1')).toBe('oid_secret');
    expect(rotated.seal('api-key.store', 'x', 'row-1').version).not.toBe(old.version);
    expect(() => stranger.open('api-key.store', sealed, 'row-1')).toThrow('set PORTAL_SECRET_PREVIOUS');
  });

  test('a look-up hash is equal only for the same secret and purpose', () => {
    const hash = old.lookupHash('api-key.lookup', 'oid_x');
    expect(hash).toHaveLength(32);
    expect(rotated.lookupHash('api-key.lookup', 'oid_x', old.version)).toEqual(hash);
    expect(rotated.lookupHash('api-key.lookup', 'oid_x')).not.toEqual(hash);
    expect(old.lookupHash('canary', 'oid_x')).not.toEqual(hash);
  });
});
