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
  if (typeof state !== 'string' || state.length > 2048) return null;
  if (!plainAddress.test(state) || !URL.canParse(state)) return null;
  const { origin, pathname } = new URL(state);
  return (
    registered.find((address) => {
      const known = new URL(address);
      return known.origin === origin && known.pathname === pathname;
    }) ?? null
  );
}
