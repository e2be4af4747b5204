const shownAtEachEnd = 4;

/**
 * The key with its middle masked. It keeps its length, so that revealing shifts nothing; short keys are fully masked.
 */
export function maskKey(key: string): string {
  if (key.length < 4 * shownAtEachEnd) return '•'.repeat(key.length);
  const hidden = '•'.repeat(key.length - 2 * shownAtEachEnd);
  return key.slice(0, shownAtEachEnd) + hidden + key.slice(-shownAtEachEnd);
}
