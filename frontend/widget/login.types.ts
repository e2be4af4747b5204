import type { LoginResult, SiweMessage } from '@orange-id/contract/identity.schema';
import type { LoginFailure } from './login.failure';

/**
 * What the panel is for: signing in, adding a sign-in method to the user's account, or confirming again that the
 * account is the user's.
 */
export type LoginPurpose = 'signIn' | 'link' | 'prove';
export type SocialProvider = 'GOOGLE' | 'APPLE';
export type LoginMethod = 'google' | 'apple' | 'email' | 'wallet';
/** A method that needs a password or a signature. */
export type SecretMethod = 'email' | 'wallet';
export type LoginTokens = LoginResult['token'];
/** The result of a password or a signature: tokens, or null if it only confirmed the account. */
export type LoginOutcome = LoginTokens | null;

/** Where the panel goes next: to a provider, back to the application with tokens, or on within the same page. */
export type Destination =
  | { kind: 'provider'; provider: SocialProvider }
  | { kind: 'callback'; tokens: LoginTokens }
  | { kind: 'proven' };

export interface Wallet {
  id: string;
  name: string;
  /** On another device; it must be paired first. */
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
  /**
   * Whether passwords and signatures are entered on the service's own page, in a window, because this page has another
   * origin.
   */
  isElsewhere: boolean;
  /** The method chosen for that window. */
  windowMethod: SecretMethod;
  /** The email typed last, which prefills the form for a reset link; empty at first. */
  email: string;
  wallet: Wallet | null;
  /** The URI that a wallet on another device scans; null until the relay has offered it. */
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
