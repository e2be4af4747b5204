import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { perProfileField } from '@orange-id/contract/profile.fields';
import { tenantClaims, type TenantClaim } from '@orange-id/contract/tenant.claims';
import type { AppConnection } from '../../auth/access-token.verifier.js';
import type { User } from '../../auth/user.entity.js';

/** What the person lets the app see; null for the rest. An email that is not confirmed is never shown. */
export function visibleTo(
  user: Pick<User, 'displayName' | 'profileImageUrl' | 'email' | 'emailVerified' | 'ethAddress'>,
  claims: readonly TenantClaim[],
): Record<TenantClaim, string | null> {
  const sees = (claim: TenantClaim) => claims.includes(claim);
  return {
    name: sees('name') ? user.displayName : null,
    picture: sees('picture') ? user.profileImageUrl : null,
    email: sees('email') && user.emailVerified ? user.email : null,
    wallet: sees('wallet') ? user.ethAddress : null,
  };
}

/** What there is for an app to see of a person. */
export function claimsWithValue(user: User): TenantClaim[] {
  const visible = visibleTo(user, tenantClaims);
  return tenantClaims.filter((claim) => visible[claim] !== null && visible[claim] !== '');
}

/** What an app that sees everything sees, in one line each; null for nothing. */
export const valuesOf = (user: User): Record<TenantClaim, string | null> => visibleTo(user, tenantClaims);

/** The claims of an app's access token (OpenID Connect Core §5.1), only those with a value. */
export function claimsFor(user: User, claims: readonly TenantClaim[]): Record<string, string | boolean> {
  const { name, picture, email, wallet } = visibleTo(user, claims);
  return {
    ...(name !== null && { name }),
    ...(picture !== null && { picture }),
    ...(email !== null && { email, email_verified: true }),
    ...(wallet !== null && { wallet_address: wallet }),
  };
}

/** A person in the format of the identity service's API, as an app sees them. Until they consent, id and provider. */
export function appUserOf(user: User, app: AppConnection): IdentityUser {
  const { name, picture, email, wallet } = visibleTo(user, app.claims);
  const connectedAt = app.consentedAt === null ? null : app.connectedAt.toISOString();
  return {
    ...perProfileField('storedAs', () => null),
    id: app.connectionId,
    name,
    firstName: null,
    displayName: name,
    role: null,
    picture,
    photoUrl: picture,
    profilePicture: picture,
    email,
    ...(email !== null && { emailVerified: true }),
    ethAddress: wallet,
    waxAddress: null,
    provider: app.provider,
    createdAt: connectedAt,
    updatedAt: null,
  };
}
