import type { IdentityUser, SignInMethod } from '@orange-id/contract/identity.schema';

export interface Wallet {
  chain: 'Ethereum' | 'WAX';
  address: string;
}

/** Every wallet of the account once, the one in the user record first. */
export function walletsOf(
  user: Pick<IdentityUser, 'ethAddress' | 'waxAddress'>,
  methods: readonly Pick<SignInMethod, 'provider' | 'label'>[] = [],
): Wallet[] {
  const linked = methods.filter(({ provider }) => provider === 'wallet').map(({ label }) => label);
  const wallets: Wallet[] = [];
  for (const address of [user.ethAddress?.trim(), ...linked]) {
    const isListed = wallets.some((wallet) => wallet.address.toLowerCase() === address?.toLowerCase());
    if (address && !isListed) wallets.push({ chain: 'Ethereum', address });
  }
  const wax = user.waxAddress?.trim();
  return wax ? [...wallets, { chain: 'WAX', address: wax }] : wallets;
}
