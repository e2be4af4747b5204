import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { shortAddress } from './short.address';

/** The ways to sign in, as people call them. */
export const methodNames: Record<SignInMethod['provider'], string> = {
  email: 'Email',
  wallet: 'Wallet',
  google: 'Google',
  apple: 'Apple',
};

/** `Google ann@example.com`, `Wallet 0x12345...90abcdef`; a provider that gave no address is labelled 'Google account'. */
export function methodLabel({ provider, label }: Pick<SignInMethod, 'provider' | 'label'>): string {
  if (provider === 'wallet') return `Wallet ${shortAddress(label)}`;
  return label.startsWith(methodNames[provider]) ? label : `${methodNames[provider]} ${label}`;
}
