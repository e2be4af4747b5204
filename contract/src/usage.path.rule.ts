/** Stored as the endpoint of calls to unknown paths, so that callers cannot invent endpoints. */
export const unknownEndpoint = 'unknown';

const maxSegments = 6;
/** Replaces omitted segments. */
const gap = '…';

/** A word of a path: letters and digits, joined by `-`, `_`, `.`. */
const word = /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/;
/** Signs of a placeholder or a typing error around a word, such as `{address}`, `:id` or `key,`. */
const around = /^[{:(]{0,2}|[}),;:.!]{0,2}$/g;
/** What an identifier of digits and letters never is: a name with a number, such as `v1`, `Top10` or `2024`. */
const named = /^(?:[A-Za-z]{0,20}\d{0,4}|\d{1,4}[A-Za-z]{1,2})$/;
/**
 * Words that are stored: up to 32 characters without digits, up to 12 with at most four digits, or names joined by
 * `-`, `_`, `.` with at most four digits in all, such as `get-wallet-balance-v2`.
 */
const isPlain = (segment: string): boolean => {
  const inner = segment.replace(around, '');
  const digits = inner.replace(/\D/g, '').length;
  if (!word.test(inner) || segment.length > 32) return false;
  return (
    digits === 0 ||
    (digits <= 4 && (inner.length <= 12 || inner.split(/[-_.]/).every((part) => named.test(part))))
  );
};
/** `{`, `}` and `:` as browsers and HTTP clients encode them. */
const decoded = (segment: string): string =>
  segment.replace(/%(7B|7D|3A)/gi, (code) => decodeURIComponent(code));

/**
 * An unknown path as usage stores and shows it: without the query, at most six segments, with each segment that is not
 * a short word replaced by `…`. Identifiers, keys, tokens and email addresses are not stored.
 */
export function storedPath(url: string): string {
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  const segments = path.split('/').slice(1, maxSegments + 2);
  const kept = segments.map((segment) =>
    segment === '' || isPlain(decoded(segment)) ? decoded(segment) : gap,
  );
  return `/${(kept.length > maxSegments ? [...kept.slice(0, maxSegments), gap] : kept).join('/')}`;
}
