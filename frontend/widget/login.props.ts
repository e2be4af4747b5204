import type { Appearance } from './login.theme';
import type { LoginMethod, LoginPurpose } from './login.types';

export interface LoginFeatures {
  enableWalletConnect: boolean;
  enableEmailLogin: boolean;
  enableGoogleLogin: boolean;
  enableAppleLogin: boolean;
}

/** Props of `LoginPanel`; every `…Class` is added to the class of the element it names. */
export interface LoginPanelProps {
  title?: string;
  logo?: string;
  logoAlt?: string;
  walletButtonText?: string;
  separatorText?: string;
  authTitle?: string;
  features?: Partial<LoginFeatures>;
  /**
   * Our own: `link` adds a way to sign in to the account that is signed in, `prove` confirms that it is one's own;
   * `signIn` by default.
   */
  purpose?: LoginPurpose;
  /** Our own, to prove: the address whose password is asked for. */
  email?: string;
  /** Our own, to prove: called once it is proven. */
  onProven?: () => void;
  /** Our own: the method the panel begins with, as if its button had been pressed. */
  begin?: LoginMethod;
  /** Our own, to link: called when this method cannot be added before it is proven whose account it is. */
  onProofRequired?: (method: LoginMethod) => void;
  /** Our own: where mail can be read that this service keeps instead of sending it; unset when it sends. */
  mailboxUrl?: string;
  /** Our own: each view has an entry in the browser's history, so that Back leads back in the panel; off by default. */
  keepsHistory?: boolean;
  /** Light or dark regardless of the page; by default the panel follows the page's `color-scheme`. */
  appearance?: Appearance;
  panelClass?: string;
  headerClass?: string;
  titleClass?: string;
  logoClass?: string;
  buttonClass?: string;
  separatorClass?: string;
  separatorTextClass?: string;
  authTitleClass?: string;
  googleButtonClass?: string;
  appleButtonClass?: string;
  emailButtonClass?: string;
  walletButtonClass?: string;
  walletRowClass?: string;
  formClass?: string;
  inputClass?: string;
  errorClass?: string;
}

export const allFeatures: LoginFeatures = {
  enableWalletConnect: true,
  enableEmailLogin: true,
  enableGoogleLogin: true,
  enableAppleLogin: true,
};

/** Class names joined; those not given are left out. */
export const classes = (...names: (string | undefined)[]): string => names.filter(Boolean).join(' ');
