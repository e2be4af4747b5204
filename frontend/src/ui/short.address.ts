/**
 * A wallet address for display: its first 7 and last 8 characters joined by dots; unchanged if it is no longer than
 * that.
 */
export const shortAddress = (address: string): string =>
  address.length <= 7 + 8 ? address : `${address.slice(0, 7)}...${address.slice(-8)}`;
