import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { perProfileField } from '@orange-id/contract/profile.fields';
import type { User } from '../../auth/user.entity.js';

/** A user in the format of the identity service's API; the photo appears under each field name that clients read. */
export function identityUserOf(user: User): IdentityUser {
  return {
    id: user.id,
    name: user.displayName,
    firstName: user.firstName,
    ...perProfileField('storedAs', ({ storedAs }) => user[storedAs]),
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
