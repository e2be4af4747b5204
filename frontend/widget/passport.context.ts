import type { IdentityUser, LoginResult, SiweMessage } from '@orange-id/contract/identity.schema';
import { markTab } from '@orange-id/contract/tab.marker';
import { createContext, useContext } from 'react';
import type { Config } from 'wagmi';
import type { PassportSettings } from './identity.addresses';
import type { IdentityClient } from './identity.client';
import type { SocialProvider } from './login.types';

/** What `useBedrockPassport` gives: the identity client's interface, as far as the identity service offers it. */
export interface Passport {
  user?: IdentityUser;
  accessToken?: string;
  isLoggedIn: boolean;
  /** False until the service has told who the stored token belongs to, or that there is none. */
  isReady: boolean;
  widgetText?: string;
  widgetUrl?: string;
  signIn(
    provider: SocialProvider | 'EMAIL',
    credentials?: { email: string; password: string },
  ): Promise<LoginResult | undefined>;
  registerEmail(email: string, password: string, passwordConfirm: string): Promise<LoginResult>;
  /** Asks whose token it is and only then stores both; false leaves what was stored before. */
  loginCallback(accessToken: string, refreshToken: string): Promise<boolean>;
  /** Ends the session at the service, then here; rejects when the service could not be told. */
  signOut(): Promise<void>;
  getNonce(): Promise<{ nonce: string }>;
  verifyNonce(message: SiweMessage, signature: string): Promise<LoginResult>;
}

/** What the panel needs beside the public interface. */
export interface PassportInternals {
  settings: PassportSettings & { appName?: string };
  client: IdentityClient;
  wallets: Config;
  /** The stored access token, while it has not expired. */
  readToken(): string | null;
}

export const PassportContext = createContext<Passport | null>(null);
export const InternalsContext = createContext<PassportInternals | null>(null);

/** Notes in this tab that a sign-in leaves it; answers the value it comes back with. */
export const markThisTab = (): string => markTab(Date.now(), window.sessionStorage);

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
