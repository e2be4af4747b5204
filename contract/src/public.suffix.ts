import { getPublicSuffix } from 'tldts';

/**
 * Whether anyone can register names directly below this host, by the Public Suffix List: top-level domains, `co.uk`, and
 * those of hosting services such as `github.io`. The list is large, so pages load it on demand.
 */
export const isPublicSuffix = (host: string): boolean =>
  getPublicSuffix(host, { allowPrivateDomains: true, validateHostname: false }) === host;
