import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import type { Environment } from './environment.js';

/** The redirect URI for a provider; registered there, and compared exactly. */
export const redirectUriOf = (
  { PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>,
  provider: ProviderName,
): string => `${PUBLIC_URL}/api/v1/auth/${provider.toUpperCase()}/callback`;
