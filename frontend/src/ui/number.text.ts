const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count, or another number rounded to an integer: `12,400`. */
export const formatCount = (count: number) => whole.format(count);

const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A share in percent: `0%`, `2.1%`, `< 0.1%`. */
export function formatShare(part: number, of: number): string {
  const percent = of === 0 ? 0 : (100 * part) / of;
  return percent > 0 && percent < 0.1 ? '< 0.1%' : `${oneDecimal.format(percent)}%`;
}

/**
 * A size of files: `20 bytes`, `6.6 kB`, `6.9 MB`. A MB has 2^20 bytes, as in the portal's limits, and is rounded down, so
 * that a size under a limit never reads like the limit.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (bytes < 999_950) return `${oneDecimal.format(bytes / 1_000)} kB`;
  return `${oneDecimal.format(Math.floor((bytes * 10) / 2 ** 20) / 10)} MB`;
}
