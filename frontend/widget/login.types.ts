import type { LoginResult, SiweMessage } from '@orange-id/contract/identity.schema';
import type { LoginFailure } from './login.failure';

/**
 * What the panel is for: signing in, adding a way to sign in to the account that is signed in, or proving once more
 * that this account is one's own.
 */
export type LoginPurpose = 'signIn' | 'link' | 'prove';
export type SocialProvider = 'GOOGLE' | 'APPLE';
export type LoginMethod = 'google' | 'apple' | 'email' | 'wallet';
export type LoginTokens = LoginResult['token'];
/** What a password or a signature is answered with: tokens, or null where it only proved whose account it is. */
export type LoginOutcome = LoginTokens | null;

/** Where it goes on: to a provider, back to the application with its tokens, or on the same page. */
export type Destination =
  | { kind: 'provider'; provider: SocialProvider }
  | { kind: 'callback'; tokens: LoginTokens }
  | { kind: 'proven' };

export interface Wallet {
  id: string;
  name: string;
  /** In another device, to be paired with first. */
  isRemote?: boolean;
}
export interface SignedMessage {
  message: SiweMessage;
  signature: string;
}

export type LoginEvent =
  | { type: 'provider.choose'; provider: SocialProvider }
  | { type: 'email.choose' }
  | { type: 'account.create' }
  | { type: 'email.submit'; email: string; password: string; passwordConfirm: string }
  | { type: 'form.switch' }
  | { type: 'password.forget'; email: string }
  | { type: 'reset.submit'; email: string }
  | { type: 'reset.leave' }
  | { type: 'wallet.choose' }
  | { type: 'wallet.pick'; wallet: Wallet }
  | { type: 'wallet.retry' }
  | { type: 'pairing.offer'; uri: string }
  | { type: 'pairing.accept'; address: string }
  | { type: 'pairing.fail'; error: unknown }
  | { type: 'choice.return' }
  | { type: 'page.restore' };

export interface WalletAccount {
  wallet: Wallet;
  address: string;
}

export interface LoginContext {
  purpose: LoginPurpose;
  /** The address typed last, so that the form for a reset link begins with it; empty before any. */
  email: string;
  wallet: Wallet | null;
  /** What a wallet in another device takes up; null before it is there. */
  pairingUri: string | null;
  address: string | null;
  signed: SignedMessage | null;
  destination: Destination | null;
  failure: LoginFailure | null;
}

export interface Credentials {
  email: string;
  password: string;
  passwordConfirm: string;
}
