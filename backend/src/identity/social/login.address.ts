import { providerName } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/identity.schema';
import { callbackUrlOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { PortalError } from '../../http/portal.error.js';

/** What `/api/login` was asked for. Throws `auth.providerUnknown`. */
export function requireProvider(given: unknown): ProviderName {
  const provider = providerName.safeParse(given);
  if (provider.success) return provider.data;
  throw new PortalError('auth.providerUnknown', {
    message: `provider must be google or apple (it is ${JSON.stringify(given ?? null)})`,
  });
}

/** Where a sign-in with a provider begins, as the identity client writes it: `state` is the bare callback address. */
export function loginAddress(environment: Environment, provider: ProviderName): string {
  const tenant = encodeURIComponent(environment.TENANT_ID);
  const key = encodeURIComponent(environment.SUBSCRIPTION_KEY);
  return `${environment.IDENTITY_URL ?? ''}/api/v1/auth/${provider.toUpperCase()}?state=${callbackUrlOf(environment)}&tenantId=${tenant}&subscription-key=${key}`;
}
