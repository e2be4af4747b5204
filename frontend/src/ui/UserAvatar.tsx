import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useState } from 'react';
import { firstLetter } from './first.letter';
import { pictureAddress } from './picture.address';
import styles from './user-avatar.module.css';

const defaultPicture = '/default-avatar.svg';

/** Replaces a picture that fails to load: the first letter of displayName, firstName or email, otherwise 'U'. */
export const avatarLetter = (user: Partial<IdentityUser> | null): string =>
  firstLetter(user?.displayName?.trim() || user?.firstName?.trim() || user?.email?.trim() || 'U');

/**
 * The user's picture or photoUrl, otherwise the default picture; `size` in px. Decorative, because the name is beside
 * it.
 */
export function UserAvatar({ user, size }: { user: IdentityUser | null; size: number }) {
  const picture = pictureAddress(user?.picture, user?.photoUrl) ?? defaultPicture;
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={styles.root} style={{ width: size, height: size, fontSize: size * 0.44 }} aria-hidden>
      {broken === picture ? (
        avatarLetter(user)
      ) : (
        <img src={picture} alt="" width={size} height={size} onError={() => setBroken(picture)} />
      )}
    </span>
  );
}
