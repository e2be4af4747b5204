/** The key of a client address: the whole IPv4 address, or the /64 of IPv6, which is what one customer gets. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail = ''] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
    : [];
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(.)/, '$1').toLowerCase())
    .join(':');
}

/** The /48 of a key, which a customer may get on request; null for IPv4. */
export const networkKey = (key: string): string | null =>
  key.includes(':') ? key.split(':').slice(0, 3).join(':') : null;
