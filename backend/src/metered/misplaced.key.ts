import { isWellFormedApiKey } from '@orange-id/contract/api-key.rule';
import { apiKeyHeader } from '@orange-id/contract/metered.paths';
import type { IncomingMessage } from 'node:http';

/** What a text holds between quotes, blanks, and the characters that join names and values. */
const wordsOf = (text: string): string[] => text.split(/[^\w.~+/-]+/u);

/** Whether a text contains an API key of the portal. */
export const holdsApiKey = (text: string): boolean => wordsOf(text).some(isWellFormedApiKey);

/** Other spellings of the header and of a parameter for a key. */
const isKeyName = (name: string): boolean => /^(?:x[-_]?)?api[-_]?key$/i.test(name);

type Request = Pick<IncomingMessage, 'headers' | 'url'>;

/**
 * Where a request without a valid `X-API-Key` has its key, as the end of 'It was found in'; null if nowhere. Keys of a
 * hosted project service have no form of their own, so they are only found under the usual names, by `mayBeKey`.
 */
export function misplacedKey(
  { headers, url = '' }: Request,
  mayBeKey: (text: string) => boolean,
): string | null {
  const sent = headers[apiKeyHeader];
  if (typeof sent === 'string' && !isWellFormedApiKey(sent) && (holdsApiKey(sent) || isDecorated(sent))) {
    return 'X-API-Key with other characters around it, such as quotes';
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name === apiKeyHeader || name === 'referer' || value === undefined) continue;
    const text = String(value);
    const isFound =
      holdsApiKey(text) ||
      (name === 'authorization' && holdsApiKey(basicCredentialsOf(text))) ||
      (isKeyName(name) && mayBeKey(text));
    if (isFound) return `the header ${name}`;
  }
  const [path = '', query = ''] = url.split('?', 2);
  for (const [name, value] of new URLSearchParams(query)) {
    if (holdsApiKey(value) || (isKeyName(name) && mayBeKey(value))) {
      return `the query parameter ${isKeyName(name) || /^[a-z_]{1,20}$/i.test(name) ? name : 'of the URL'}`;
    }
    if (holdsApiKey(name)) return 'the query';
  }
  return holdsApiKey(path.replaceAll('/', ' ')) ? 'the path' : null;
}

/** Whether a value has quotes or a scheme around it: `"oid_…"`, `Bearer oid_…`. */
const isDecorated = (text: string): boolean =>
  /^(?:["'`<]|[“”‘’]|â)|["'`>]$|^(?:bearer|basic|token|apikey|x-api-key)[\s:=]/i.test(text);

/** The user name and password of HTTP Basic authentication, as `curl -u` sends them. */
function basicCredentialsOf(authorization: string): string {
  const [scheme = '', encoded = ''] = authorization.split(' ', 2);
  return scheme.toLowerCase() === 'basic' ? Buffer.from(encoded, 'base64').toString('latin1') : '';
}
