import { addressOf } from '../database/database.address.js';

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** This very machine, by a hostname as URLs of http have it (RFC 6761 §6.3, RFC 1122 §3.2.1.3). */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** A name without a dot is one of a private network, as a container has it: none is served by the public DNS. */
export const isPrivateName = (hostname: string): boolean => /^[\w-]+$/.test(hostname);

/** Whether nobody else is on the way to this host. Numbers are read as the IPv4 addresses they stand for. */
function isNear(host: string): boolean {
  const address = `http://${bracketed(host)}`;
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return isLoopback(hostname) || isPrivateName(hostname);
}

/** Whether the link to the database of this address can be read or changed on its way to another machine. */
export function isDatabaseLinkOpen(databaseUrl: string): boolean {
  const { host, ssl } = addressOf(databaseUrl);
  const isSocket = host.startsWith('/');
  // An object is TLS without a check of the certificate: whoever is on the way can answer.
  return ssl !== true && !isSocket && !isNear(host);
}

/** The same of the mail server of this address, as nodemailer reads it. */
export function isMailLinkOpen(smtpUrl: string): boolean {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  const all = (name: string): string => searchParams.getAll(name).join();
  // smtp:// takes up TLS when it is offered, and whoever is on the way can take the offer out.
  const isEncrypted = protocol === 'smtps:' || all('requireTLS') === 'true';
  const isVerified = ['', 'true'].includes(all('tls.rejectUnauthorized'));
  return !(isEncrypted && isVerified) && !isNear(hostname.replace(/^\[|\]$/g, ''));
}
