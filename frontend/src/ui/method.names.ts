import type { SignInMethod } from '@orange-id/contract/identity.schema';

/** The ways to sign in, as people call them. */
export const methodNames: Record<SignInMethod['provider'], string> = {
  email: 'Email',
  wallet: 'Wallet',
  google: 'Google',
  apple: 'Apple',
};
