import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { User } from '../../auth/user.entity.js';

/** A user in the format of the identity service's API; the photo appears under each field name that clients read. */
export function identityUserOf(user: User): IdentityUser {
  return {
    id: user.id,
    email: user.email,
    name: user.displayName,
    displayName: user.displayName,
    firstName: user.firstName,
    userName: user.userName,
    bio: user.bio,
    country: user.country,
    role: null,
    picture: user.profileImageUrl,
    photoUrl: user.profileImageUrl,
    profilePicture: user.profileImageUrl,
    ethAddress: user.ethAddress,
    waxAddress: user.waxAddress,
    provider: user.provider,
    emailVerified: user.emailVerified,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
