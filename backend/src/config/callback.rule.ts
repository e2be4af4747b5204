/**
 * Exactly two slashes, no white space, control character, backslash, userinfo or fragment: parsers disagree about all
 * of these.
 */
const plainAddress = /^https?:\/\/[^/\s\p{Cc}\\@#?][^\s\p{Cc}\\@#?]*$/iu;

/**
 * The registered callback that `state` names, or null. Both are parsed and compared by origin and path, never by
 * prefix; the return value is the registered address itself, so no part of the input can reach a redirect.
 */
export function registeredCallback(state: unknown, registered: readonly string[]): string | null {
  const given = plainCallback(state);
  if (given === null) return null;
  return (
    registered.find((address) => {
      const known = new URL(address);
      return known.origin === given.origin && known.pathname === given.pathname;
    }) ?? null
  );
}

/** A callback that every parser reads alike, without escapes in its host; null for any other. */
export function plainCallback(callback: unknown): URL | null {
  if (typeof callback !== 'string' || callback.length > 2048) return null;
  if (!plainAddress.test(callback) || !URL.canParse(callback)) return null;
  return /^https?:\/\/[^/?]*%/i.test(callback) ? null : new URL(callback);
}
