const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'oid_';
const bodyLength = 27;
const checkLength = 6;

/** An API key: `oid_`, 27 base62 characters (160 bits) and 6 base62 characters of CRC-32 over the rest. */
export const apiKeyPattern = /^oid_[0-9A-Za-z]{33}$/;

/** Bytes of randomness that `apiKeyFrom` takes. */
export const apiKeyBytes = 20;

/** Encodes 20 random bytes as a key. */
export function apiKeyFrom(random: Uint8Array): string {
  if (random.length !== apiKeyBytes) throw new RangeError(`an API key needs ${apiKeyBytes} random bytes`);
  let value = 0n;
  for (const byte of random) value = (value << 8n) | BigInt(byte);
  const body = prefix + base62(value, bodyLength);
  return body + base62(BigInt(crc32(body)), checkLength);
}

/** True when `text` has the form of a key and a valid checksum, so that a typo is refused without a look-up. */
export function isWellFormedApiKey(text: string): boolean {
  if (!apiKeyPattern.test(text)) return false;
  const body = text.slice(0, prefix.length + bodyLength);
  return base62(BigInt(crc32(body)), checkLength) === text.slice(body.length);
}

/** The part of a key that may be shown anywhere: its first 8 characters. */
export const apiKeyPrefix = (key: string): string => key.slice(0, 8);

/** Below this length, the two ends would be more than half of a key; keys of a hosted project service can be short. */
const shortestShown = 24;

/** What identifies a masked key to its owner: the prefix and the last 4 characters, both empty for a short key. */
export const apiKeyEnds = (key: string): { prefix: string; last4: string } =>
  key.length < shortestShown
    ? { prefix: '', last4: '' }
    : { prefix: apiKeyPrefix(key), last4: key.slice(-4) };

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 (IEEE 802.3) of ASCII text, unsigned. */
function crc32(text: string): number {
  let c = 0xffffffff;
  for (let i = 0; i < text.length; i++) c = (table[(c ^ text.charCodeAt(i)) & 0xff] as number) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
