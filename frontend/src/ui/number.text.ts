const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count, or another number rounded to an integer: `12,400`. */
export const formatCount = (count: number) => whole.format(count);

const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A share in percent: `0%`, `2.1%`, `< 0.1%`. */
export function formatShare(part: number, of: number): string {
  const percent = of === 0 ? 0 : (100 * part) / of;
  return percent > 0 && percent < 0.1 ? '< 0.1%' : `${oneDecimal.format(percent)}%`;
}
