import { providers, signInMethods } from '@orange-id/contract/sign-in.methods';
import type { ProviderName, SignInMethodName } from '@orange-id/contract/sign-in.methods';
import { Environment, isOwnMachine } from './environment.js';

type Settings = Pick<
  Environment,
  'isProduction' | 'IDENTITY_URL' | 'PUBLIC_URL' | 'GOOGLE_CLIENT_ID' | 'APPLE_CLIENT_ID'
>;

/**
 * The implementation of a provider's button: the provider itself, if this portal has credentials there; else the
 * built-in OpenID provider; or none. The built-in one accepts any identity without a check, so it is unavailable in
 * production and at any address that anyone but the user of this machine could open.
 */
export function providerSourceOf(environment: Settings, provider: ProviderName): 'own' | 'builtIn' | 'none' {
  const clientId = provider === 'google' ? environment.GOOGLE_CLIENT_ID : environment.APPLE_CLIENT_ID;
  if (clientId !== undefined) return 'own';
  return isOwnMachine(environment) && !environment.isProduction ? 'builtIn' : 'none';
}

/** The portal's sign-in methods. Email and wallets always are among them. */
export const configuredMethods = (environment: Settings): SignInMethodName[] =>
  signInMethods.filter(
    (method) => method === 'email' || method === 'wallet' || providerSourceOf(environment, method) !== 'none',
  );

/** Whether the embedded identity service needs the built-in OpenID provider. */
export const servesBuiltInOpenid = (environment: Settings): boolean =>
  !environment.IDENTITY_URL &&
  providers.some((provider) => providerSourceOf(environment, provider) === 'builtIn');
