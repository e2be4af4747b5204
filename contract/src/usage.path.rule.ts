/** Stored as the endpoint of calls to unknown paths, so that callers cannot invent endpoints. */
export const unknownEndpoint = 'unknown';

const maxSegments = 6;
/** Replaces omitted segments. */
const gap = '…';

/** A word of a path: letters and digits, joined by `-`, `_`, `.`. */
const word = /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/;
/** Words that are stored: up to 32 characters without digits, or up to 12 with at most four digits, such as `v1`. */
const isPlain = (segment: string): boolean => {
  const digits = segment.replace(/\D/g, '').length;
  return word.test(segment) && (digits === 0 ? segment.length <= 32 : digits <= 4 && segment.length <= 12);
};

/**
 * An unknown path as usage stores and shows it: without the query, at most six segments, with each segment that is not
 * a short word replaced by `…`. Identifiers, keys, tokens and email addresses are not stored.
 */
export function storedPath(url: string): string {
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  const segments = path.split('/').slice(1, maxSegments + 2);
  const kept = segments.map((segment) => (segment === '' || isPlain(segment) ? segment : gap));
  return `/${(kept.length > maxSegments ? [...kept.slice(0, maxSegments), gap] : kept).join('/')}`;
}
