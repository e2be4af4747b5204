import { limits } from './limits.js';

/** Codes for a URL with a part that must be removed; `surplusPart` names the part. */
export type SurplusRefusal = 'port' | 'credentials';

/** Codes for a URL with a wildcard that is not the whole first label, or is directly below a public suffix. */
export type WildcardRefusal = 'wildcardPlace' | 'wildcardSuffix';

export type WhitelistRefusal =
  | 'required'
  | 'unparseable'
  | 'protocol'
  | 'tooShort'
  | 'local'
  | 'notPublic'
  | 'duplicate'
  | SurplusRefusal
  | WildcardRefusal;

/** Whether anyone can register names directly below a host: `com`, `co.uk`, `github.io`. */
export type SuffixCheck = (host: string) => boolean;

export type WhitelistVerdict =
  { ok: true; url: string; changed: boolean } | { ok: false; code: WhitelistRefusal };

const forbiddenParts = ['localhost', '127.0.0.1', '0.0.0.0'];
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** A label before the last two, which registries do not give out: hosts of previews and stages have underscores. */
const subLabel = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
/** A host without the one dot that may end a DNS name. */
const undotted = (host: string): string => host.replace(/\.$/, '');
const privateSuffixes = [
  ...['local', 'localdomain', 'internal', 'intranet', 'private', 'lan', 'home', 'corp'],
  ...['arpa', 'test', 'invalid', 'onion'],
];

/**
 * Decides whether `input` may join the allowed URLs, and in which form: scheme and host name, without path and port.
 * Scheme, length and localhost are checked first, in this order; then parts that no public site has (userinfo, IP
 * literals that are not public, single labels, backslashes). One trailing dot is dropped. If only the port makes the URL
 * unparseable, it is refused as `port`. A wildcard stands for the whole first label of a host below a domain that one
 * party controls, by `isPublicSuffix`.
 * `existing` are normalised URLs of the same list. A browser's parser may escape characters in a host that the server's
 * refuses (a blank) or keeps (an asterisk); the verdict is the same as the server's.
 */
export function checkWhitelistUrl(
  input: string,
  existing: readonly string[] = [],
  isPublicSuffix: SuffixCheck = () => false,
): WhitelistVerdict {
  const text = input.trim();
  if (text === '') return refuse('required');
  if (text.length > limits.whitelistUrlMaxCharacters) return refuse('unparseable');
  // Checked before parsing, because parsers drop, escape or refuse these.
  if (/[\s\p{Cc}]/u.test(text)) return refuse('unparseable');

  const parsed = parse(text);
  if (!parsed) return refuse(isUrlButForItsPort(text) ? 'port' : 'unparseable');
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return refuse('protocol');
  const host = undotted(parsed.hostname.replaceAll('%2A', '*'));
  if (host.includes('%')) return refuse('unparseable');
  if (host.length < limits.hostnameMinCharacters) return refuse('tooShort');
  if (forbiddenParts.some((part) => host.includes(part))) return refuse('local');
  // `URL` hides an empty userinfo (`http://@host`), so this checks the text.
  if (authorityOf(text).includes('@')) return refuse('credentials');
  const wildcard = wildcardIn(host, isPublicSuffix);
  if (wildcard !== null && wildcard !== 'ok') return refuse(wildcard);
  if (text.includes('\\') || !isPublicHost(wildcard === null ? host : host.slice(2)))
    return refuse('notPublic');

  const url = `${parsed.protocol}//${host}`;
  if (existing.includes(url)) return refuse('duplicate');
  return { ok: true, url, changed: url !== text };
}

/** The verdict on the wildcard of a host; null if there is none. */
function wildcardIn(host: string, isPublicSuffix: SuffixCheck): 'ok' | WildcardRefusal | null {
  if (!host.includes('*')) return null;
  const base = host.slice(2);
  if (!host.startsWith('*.') || base === '' || base.includes('*')) return 'wildcardPlace';
  return !base.includes('.') || isPublicSuffix(base) ? 'wildcardSuffix' : 'ok';
}

/** Whether an allowed URL covers several hosts. Such a URL is only for calls, never for sign-in. */
export const isWildcardUrl = (url: string): boolean => url.includes('//*.');

export type NewUrlRefusal = WhitelistRefusal | 'tooMany';
export type NewUrlVerdict = Extract<WhitelistVerdict, { ok: true }> | { ok: false; code: NewUrlRefusal };

/** Like `checkWhitelistUrl`, and also checks that the list has room for one more URL. */
export function checkNewUrl(
  text: string,
  urls: readonly string[],
  isPublicSuffix?: SuffixCheck,
): NewUrlVerdict {
  const verdict = checkWhitelistUrl(text, urls, isPublicSuffix);
  return verdict.ok && urls.length >= limits.whitelistUrlsPerProject
    ? { ok: false, code: 'tooMany' }
    : verdict;
}

/** The part to remove from a URL that was refused for it: `:99999` or `user:secret@`. */
export function surplusPart(code: SurplusRefusal, text: string): string {
  const authority = authorityOf(text.trim());
  return code === 'port'
    ? authority.slice(authority.lastIndexOf(':'))
    : authority.slice(0, authority.lastIndexOf('@') + 1);
}

/** The part between the slashes and the path: userinfo, host and port. */
const authorityOf = (text: string): string => /^[^:]*:[/\\]*([^/\\?#]*)/.exec(text)?.[1] ?? '';

/** Whether `URL` parses the text without its port. */
const isUrlButForItsPort = (text: string): boolean => {
  const portless = text.replace(/^(https?:[/\\]*[^/\\?#]*):[^:\]@/\\?#]+([/\\?#].*)?$/i, '$1$2');
  return portless !== text && parse(portless) !== null;
};

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** True for a DNS name of two labels or more, or a public IPv4 address. Expects a host as `URL` prints it. */
export function isPublicHost(host: string): boolean {
  const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  if (ipv4) return isPublicIpv4(ipv4.slice(1).map(Number));
  if (host.length > 253) return false;
  const labels = host.split('.');
  const last2 = labels.slice(-2);
  if (last2.length < 2 || !last2.every((part) => label.test(part))) return false;
  if (!labels.slice(0, -2).every((part) => subLabel.test(part))) return false;
  const last = labels.at(-1) as string;
  return !/^\d+$/.test(last) && !privateSuffixes.includes(last);
}

function isPublicIpv4(octets: number[]): boolean {
  const [a, b, c] = octets as [number, number, number, number];
  if (octets.some((octet) => octet > 255)) return false;
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100 && b >= 64 && b <= 127) return false;
  if (a === 169 && b === 254) return false;
  if (a === 172 && b >= 16 && b <= 31) return false;
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) return false;
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false;
  return !(a === 203 && b === 0 && c === 113);
}

/**
 * Whether a call with the header `origin` may use a key whose project allows `urls`: same scheme and host name, any
 * port; a wildcard stands for one label. `others` are origins that no URL names. Loopback origins and those in `own` (the
 * portal itself) always pass. Runs for each call of a page: it parses the origin once and looks up two texts at most.
 */
export function isOriginAllowed(
  origin: string,
  urls: readonly string[],
  own: readonly string[] = [],
  others: readonly string[] = [],
): 'whitelisted' | 'local' | 'refused' {
  if (others.length > 0 && others.includes(origin.toLowerCase())) return 'whitelisted';
  const parsed = parse(origin);
  if (!parsed) return 'refused';
  if (own.includes(parsed.origin) || isLoopbackHost(parsed.hostname)) return 'local';
  const host = undotted(parsed.hostname);
  if (urls.includes(`${parsed.protocol}//${host}`)) return 'whitelisted';
  const dot = host.indexOf('.');
  return dot > 0 && urls.includes(`${parsed.protocol}//*${host.slice(dot)}`) ? 'whitelisted' : 'refused';
}

/** Whether a host name, as `URL` prints it, is of this computer. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(host);

const refuse = (code: WhitelistRefusal): WhitelistVerdict => ({ ok: false, code });
