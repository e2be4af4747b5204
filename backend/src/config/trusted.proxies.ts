import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';

/** The proxies that are trusted to name the client address: the last `hops` of them, or those at these addresses. */
export type TrustedProxies = { hops: number } | { addresses: string[] };

/** Parses `1` or `10.0.0.0/8, 192.0.2.1`; null for other values. Hops are 1 to 9. */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^[1-9]$/.test(text.trim())) return { hops: Number(text) };
  const addresses = text.split(',').map((part) => part.trim());
  return addresses.every(isAddressOrRange) ? { addresses } : null;
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  // A range that covers everything would let any client choose its address.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}

/** The same as Fastify's `trustProxy`; without proxies the address is that of the connection. */
export function trustProxyOf(
  proxies: TrustedProxies | undefined,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (proxies === undefined) return false;
  return 'hops' in proxies ? (_address, hop) => hop < proxies.hops : proxies.addresses;
}

/**
 * Reduces `X-Forwarded-For` to plain addresses, so that each client has one spelling and counts once. Some proxies add
 * a port. The list ends, read from the right, at the first entry that is no address (`unknown`, `_hidden`): such a
 * client counts as the proxy that named it. The header stays set, because it tells that a proxy forwarded the request.
 */
export function plainForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (headers['x-forwarded-for'] !== undefined) {
    headers['x-forwarded-for'] = forwardedAddresses(headers).reverse().join(', ');
  }
}

/** The addresses in `X-Forwarded-For`, the one that the last proxy wrote first. */
function forwardedAddresses(headers: IncomingMessage['headers']): string[] {
  const named = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  const parts = named.map((part) => part.trim()).filter((part) => part !== '');
  // More than any chain of proxies; a client can send thousands.
  const addresses = parts.reverse().slice(0, 32).map(plainAddress);
  const end = addresses.indexOf(null);
  return (end === -1 ? addresses : addresses.slice(0, end)) as string[];
}

/** An address without port, brackets and zone, in its usual spelling, IPv4 as such; null for other text. */
function plainAddress(text: string): string | null {
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? v4 ?? text).split('%');
  if (isIP(address) === 4) return inBrackets === undefined ? address : null;
  if (isIP(address) !== 6) return null;
  const usual = new SocketAddress({ family: 'ipv6', address }).address;
  return /^::ffff:([\d.]+)$/.exec(usual)?.[1] ?? usual;
}

/** The client address of a request, like Fastify's `request.ip`, for requests that bypass Fastify. */
export function clientAddressOf(
  proxies: TrustedProxies | undefined,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const isTrusted = proxyTrustOf(proxies);
  return ({ headers, socket }) => {
    const addresses = [socket.remoteAddress ?? '', ...forwardedAddresses(headers)];
    return addresses.find((address, hop) => !isTrusted(address, hop)) ?? (addresses.at(-1) as string);
  };
}

/** Whether the address at this hop, 0 for that of the connection, is a trusted proxy. */
export function proxyTrustOf(proxies: TrustedProxies | undefined): (address: string, hop: number) => boolean {
  if (proxies === undefined) return () => false;
  if ('hops' in proxies) return (_address, hop) => hop < proxies.hops;
  const trusted = new BlockList();
  for (const range of proxies.addresses) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    trusted.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
