/** Stored as the endpoint of calls to an address that does not exist, so that callers cannot make up endpoints. */
export const unknownEndpoint = 'unknown';

const maxSegments = 6;
/** Stands for what is left out. */
const gap = '…';

/** A word of an address: letters and digits, joined by `-`, `_`, `.`. */
const word = /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/;
/** What may be read: words without digits up to 32 characters; with up to four digits, such as `v1`, up to 12. */
const isPlain = (segment: string): boolean => {
  const digits = segment.replace(/\D/g, '').length;
  return word.test(segment) && (digits === 0 ? segment.length <= 32 : digits <= 4 && segment.length <= 12);
};

/**
 * The path of a request to an unknown address as usage stores and shows it: without the query, at most six segments,
 * each that is no short word replaced by `…`. Identifiers, keys, tokens and e-mail addresses are not kept.
 */
export function storedPath(url: string): string {
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  const segments = path.split('/').slice(1, maxSegments + 2);
  const kept = segments.map((segment) => (segment === '' || isPlain(segment) ? segment : gap));
  return `/${(kept.length > maxSegments ? [...kept.slice(0, maxSegments), gap] : kept).join('/')}`;
}
