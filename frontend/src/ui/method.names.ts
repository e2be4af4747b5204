import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { providerTitles } from '@orange-id/contract/sign-in.methods';
import { shortAddress } from './short.address';

/** The names of the sign-in methods. */
export const methodNames: Record<SignInMethod['provider'], string> = {
  email: 'Email',
  wallet: 'Wallet',
  ...providerTitles,
};

type Named = Pick<SignInMethod, 'provider' | 'label'>;

/** A provider that shared no email has the label 'Google account'. */
const isUnnamed = ({ provider, label }: Named) =>
  label === '' || label === `${methodNames[provider]} account`;

/** At the start of a sentence or alone: `Google account ann@example.com`, `Wallet 0x12345...90abcdef`. */
export function methodLabel(method: Named): string {
  const { provider, label } = method;
  switch (provider) {
    case 'email':
      return `Email ${label}`;
    case 'wallet':
      return `Wallet ${shortAddress(label)}`;
    default:
      return `${methodNames[provider]} account${isUnnamed(method) ? '' : ` ${label}`}`;
  }
}

/** Inside a sentence, after 'sign in with': `your Google account`, `the wallet 0x12345...90abcdef`. */
export function methodPhrase(method: Named): string {
  const { provider, label } = method;
  switch (provider) {
    case 'email':
      return `your email ${label} and password`;
    case 'wallet':
      return `the wallet ${shortAddress(label)}`;
    default:
      return isUnnamed(method)
        ? `your ${methodNames[provider]} account`
        : `the ${methodNames[provider]} account ${label}`;
  }
}
