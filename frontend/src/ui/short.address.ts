/** A wallet address as it is shown: its first 7 and last 8 characters joined by dots; one as short as that, whole. */
export const shortAddress = (address: string): string =>
  address.length <= 7 + 8 ? address : `${address.slice(0, 7)}...${address.slice(-8)}`;
