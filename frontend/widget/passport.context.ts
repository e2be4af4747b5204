import { pageStorage } from '@orange-id/contract/page.storage';
import type { IdentityUser, LoginResult, SiweMessage } from '@orange-id/contract/identity.schema';
import { markTab } from '@orange-id/contract/tab.marker';
import { createContext, useContext } from 'react';
import type { Config } from 'wagmi';
import type { PassportSettings } from './identity.addresses';
import type { IdentityClient } from './identity.client';
import type { SocialProvider } from './login.types';

/** What `useBedrockPassport` returns: the interface of the identity client, as far as this service supports it. */
export interface Passport {
  user?: IdentityUser;
  accessToken?: string;
  isLoggedIn: boolean;
  /** False while the user of the stored token is being requested. */
  isReady: boolean;
  widgetText?: string;
  widgetUrl?: string;
  signIn(
    provider: SocialProvider | 'EMAIL',
    credentials?: { email: string; password: string },
  ): Promise<LoginResult | undefined>;
  registerEmail(email: string, password: string, passwordConfirm: string): Promise<LoginResult>;
  /**
   * Fetches the token's user and only then stores both tokens; returns false and keeps the stored session otherwise.
   */
  loginCallback(accessToken: string, refreshToken: string): Promise<boolean>;
  /** Ends the session on the service, then here; rejects if the service could not be reached. */
  signOut(): Promise<void>;
  getNonce(): Promise<{ nonce: string; now?: string }>;
  verifyNonce(message: SiweMessage, signature: string): Promise<LoginResult>;
}

/** What the panel needs beyond the public interface. */
export interface PassportInternals {
  settings: PassportSettings & { appName?: string };
  client: IdentityClient;
  wallets: Config;
  /** The stored access token, unless it has expired. */
  readToken(): string | null;
}

export const PassportContext = createContext<Passport | null>(null);
export const InternalsContext = createContext<PassportInternals | null>(null);

/** Marks this tab as the one that starts a sign-in; returns the value that the callback carries. */
export const markThisTab = (): string => markTab(Date.now(), pageStorage(window, 'sessionStorage'));

const outside = 'useBedrockPassport and LoginPanel work inside BedrockPassportProvider only';

/** The passport of the nearest `BedrockPassportProvider`; throws outside one. */
export function useBedrockPassport(): Passport {
  const passport = useContext(PassportContext);
  if (!passport) throw new Error(outside);
  return passport;
}

export function useInternals(): PassportInternals {
  const internals = useContext(InternalsContext);
  if (!internals) throw new Error(outside);
  return internals;
}
