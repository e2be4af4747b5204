import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { randomBytes } from 'node:crypto';

/** The path, below the portal's address, of the issuer of the built-in OpenID provider. */
export const builtInPath = '/dev/openid';

/** The credentials of this process at its own provider. The secret is new with each start. */
export const builtInClientId = (provider: ProviderName): string => `built-in-${provider}`;
export const builtInClientSecret = randomBytes(32).toString('base64url');
