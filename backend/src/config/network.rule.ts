import { addressOf, databaseUrlsOf } from './database.address.js';

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The same machine, by a hostname as it appears in http URLs (RFC 6761 §6.3, RFC 1122 §3.2.1.3). */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * A name without a dot, such as that of a container, belongs to a private network: the public DNS has no such names.
 */
export const isPrivateName = (hostname: string): boolean => /^[\w-]+$/.test(hostname);

/** Whether the path to this host is private. Numbers are read as the IPv4 addresses they represent. */
function isNear(host: string): boolean {
  const address = `http://${bracketed(host)}`;
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return isLoopback(hostname) || isPrivateName(hostname);
}

/** Whether the link to the database of this address can be read or changed on its way to another machine. */
export function isDatabaseLinkOpen(databaseUrl: string): boolean {
  return databaseUrlsOf(databaseUrl).some((url) => {
    const { host, ssl } = addressOf(url);
    const isSocket = host.startsWith('/');
    // An object means TLS without a check of the certificate: an attacker on the path can impersonate the server.
    return ssl !== true && !isSocket && !isNear(host);
  });
}

/** The same for the mail server of this address, as nodemailer interprets it. */
export function isMailLinkOpen(smtpUrl: string): boolean {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  const all = (name: string): string => searchParams.getAll(name).join();
  // smtp:// uses TLS if it is offered, and an attacker on the path can remove the offer.
  const isEncrypted = protocol === 'smtps:' || all('requireTLS') === 'true';
  const isVerified = ['', 'true'].includes(all('tls.rejectUnauthorized'));
  return !(isEncrypted && isVerified) && !isNear(hostname.replace(/^\[|\]$/g, ''));
}
