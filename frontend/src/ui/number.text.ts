const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count, or a figure without its fraction: `12,400`. */
export const formatCount = (count: number) => whole.format(count);
