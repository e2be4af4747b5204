import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { perProfileField, type ProfileField } from '@orange-id/contract/profile.fields';
import type { User } from '../../auth/user.entity.js';

/** A stored profile field as its owner sees it: the email is the one last entered, confirmed or not. */
export const shownField = (user: User, name: ProfileField['storedAs']): string | null =>
  name === 'email' ? (user.pendingEmail ?? user.email) : user[name];

/** A user in the format of the identity service's API; the photo appears under each field name that clients read. */
export function identityUserOf(user: User): IdentityUser {
  return {
    id: user.id,
    name: user.displayName,
    firstName: user.firstName,
    ...perProfileField('storedAs', ({ storedAs }) => shownField(user, storedAs)),
    role: null,
    picture: user.profileImageUrl,
    photoUrl: user.profileImageUrl,
    profilePicture: user.profileImageUrl,
    ethAddress: user.ethAddress,
    waxAddress: user.waxAddress,
    provider: user.provider,
    emailVerified: user.emailVerified && user.pendingEmail === null,
    ...(user.emailVerified && user.pendingEmail !== null ? { confirmedEmail: user.email } : {}),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
