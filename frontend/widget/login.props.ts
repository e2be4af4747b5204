import type { PartialAppearance } from '@orange-id/contract/appearance';
import type { ColorScheme } from './color.scheme';
import type { LoginEvent, LoginMethod, LoginPurpose, LoginTokens } from './login.types';

export interface LoginFeatures {
  enableWalletConnect: boolean;
  enableEmailLogin: boolean;
  enableGoogleLogin: boolean;
  enableAppleLogin: boolean;
}

/** A sign-in for another site: its id, and what happens to the tokens in place of the callback. */
export interface AppFlow {
  flowId: string;
  onTokens(tokens: LoginTokens): void;
}

/** Props of `LoginPanel`; each `…Class` is added to the class of the element it names. */
export interface LoginPanelProps {
  title?: string;
  logo?: string;
  logoAlt?: string;
  walletButtonText?: string;
  separatorText?: string;
  authTitle?: string;
  features?: Partial<LoginFeatures>;
  /**
   * Portal only: `link` adds a sign-in method to the user's account, `prove` confirms that the account is the user's.
   * A portal always sets it, also `signIn`. Without it, a page on another origin than the service's asks for no password
   * and no signature: its buttons open the service's own page.
   */
  purpose?: LoginPurpose;
  /** Portal only: the panel signs in for another site. */
  app?: AppFlow;
  /** Portal only, for `prove`: the email whose password is requested. */
  email?: string;
  /** Portal only, for `prove`: called once the account is confirmed. */
  onProven?: () => void;
  /** Portal only: the method the panel starts with, as if its button had been clicked. */
  begin?: LoginMethod;
  /** Portal only, for `link`: called if the user must confirm the account before this method can be added. */
  onProofRequired?: (method: LoginMethod) => void;
  /** Configurator only: events that bring the panel into the state to show. */
  previewEvents?: readonly LoginEvent[];
  /** Portal only: the page that shows emails this service captures instead of sending; unset if it sends them. */
  mailboxUrl?: string;
  /**
   * Portal only: each view adds a history entry, so the browser's Back button returns to the previous view; off by
   * default.
   */
  keepsHistory?: boolean;
  /**
   * Light or dark regardless of the page, or how the panel looks: each value wins over the saved one. By default the
   * panel follows the page's `color-scheme`.
   */
  appearance?: ColorScheme | PartialAppearance;
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

/** Whether the panel offers a single method, so that there is no other to choose. */
export const isOnlyMethod = (features?: Partial<LoginFeatures>): boolean =>
  Object.values({ ...allFeatures, ...features }).filter(Boolean).length === 1;

/** Joins the class names that are given. */
export const classes = (...names: (string | undefined)[]): string => names.filter(Boolean).join(' ');
