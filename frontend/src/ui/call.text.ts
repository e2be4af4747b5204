import { limits } from '@orange-id/contract/limits';
import { invalidOrigin, localOrigin, otherOrigins } from '@orange-id/contract/origin.rule';
import { readableHost } from '@orange-id/contract/readable.host';
import { unknownEndpoint } from '@orange-id/contract/usage.path.rule';
import type { UsageRow } from '@orange-id/contract/usage.schema';

const words: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
const statusClassTexts = ['', 'Informational', 'Success', 'Redirect', 'Client Error', 'Server Error'];

/** The text of a status, so that it isn't shown by colour alone. */
export const statusText = (status: number) =>
  words[status] ?? statusClassTexts[Math.floor(status / 100)] ?? '';

/** The colour of a status: 2xx and 3xx neutral, 4xx amber, 5xx red, blocked hatched. */
export type StatusTone = 'neutral' | 'amber' | 'red' | 'blocked';

export const statusTone = (status: number): StatusTone =>
  status >= 500 ? 'red' : status >= 400 ? 'amber' : 'neutral';

/** A call's tone and status text. */
export function outcomeOf({ outcome, statusCode }: Pick<UsageRow, 'outcome' | 'statusCode'>): {
  tone: StatusTone;
  word: string;
} {
  if (outcome === 'blocked') return { tone: 'blocked', word: 'Blocked' };
  if (outcome === 'limited') return { tone: 'amber', word: 'Rate limited' };
  if (outcome === 'overQuota') return { tone: 'amber', word: 'Over quota' };
  if (outcome === 'revoked') return { tone: 'amber', word: 'Revoked key' };
  return { tone: statusTone(statusCode), word: statusText(statusCode) };
}

/** The called path if no route matched, otherwise the route. */
export const endpointText = ({ endpoint, path }: Pick<UsageRow, 'endpoint' | 'path'>): string =>
  path ?? endpointLabel(endpoint);

/** An endpoint's label. */
export const endpointLabel = (endpoint: string): string =>
  endpoint === unknownEndpoint ? 'Unknown endpoint' : endpoint;

/** Labels and descriptions of the values that stand for an origin without a name. */
const originWords: Record<string, [label: string, sentence: string]> = {
  [localOrigin]: ['This portal or localhost', 'This portal, or a page on localhost'],
  [invalidOrigin]: ['Invalid origin', 'The Origin header wasn’t a valid origin'],
  [otherOrigins]: [
    'Other origins',
    `Calls from several origins: of the origins blocked in one second, only the first ${limits.refusedOriginsPerKey} are listed`,
  ],
};

/** An origin's label. */
export const originLabel = (origin: string | null): string =>
  origin === null ? 'No origin' : (originWords[origin]?.[0] ?? readableHost(origin));

/** Whether `originSentence` says more than the origin itself. */
export const isOriginWord = (origin: string | null): boolean => origin === null || origin in originWords;

/** Where a call came from, in a sentence. */
export function originSentence({ origin, outcome }: Pick<UsageRow, 'origin' | 'outcome'>): string {
  if (origin === null) return 'The call had no Origin header';
  const word = originWords[origin];
  if (word) return word[1];
  return outcome === 'blocked' ? `${origin} wasn’t an allowed URL at the time` : origin;
}
