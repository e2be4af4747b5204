const shownAtEachEnd = 4;

/** The key with its middle hidden, as long as the key itself so that revealing moves nothing; short ones are hidden whole. */
export function maskKey(key: string): string {
  if (key.length < 4 * shownAtEachEnd) return '•'.repeat(key.length);
  const hidden = '•'.repeat(key.length - 2 * shownAtEachEnd);
  return key.slice(0, shownAtEachEnd) + hidden + key.slice(-shownAtEachEnd);
}
