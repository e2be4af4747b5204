import { getAddress } from 'viem/utils';
import type { Address } from 'viem';
import { PortalError } from '../http/portal.error.js';

/**
 * Returns an address with its checksum (EIP-55). Accepts 40 hex digits after `0x`, in one case or with the correct
 * checksum; otherwise throws `wallet.addressInvalid` with the value and the name of the field it was given in.
 */
export function parseAddress(text: string, field = 'address'): Address {
  const isHex = /^0x[0-9a-fA-F]{40}$/.test(text);
  const digits = text.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const address = isHex ? getAddress(`0x${digits.toLowerCase()}`) : null;
  if (address !== null && (isOneCase || address === text)) return address;
  const problem = isHex
    ? 'has a wrong checksum; check the address, or send it in lower case'
    : 'must be 0x followed by 40 hexadecimal digits';
  throw new PortalError('wallet.addressInvalid', {
    details: [{ path: field, message: `"${text.slice(0, 100)}" ${problem}` }],
  });
}
