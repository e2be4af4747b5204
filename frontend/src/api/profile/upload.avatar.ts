import { defaultAvatar } from '@orange-id/contract/avatar.rule';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { pictureAnswer, type PictureAnswer } from '@orange-id/contract/profile.schema';
import { http, HttpError } from '../http';

/** `POST /api/v1/user/profile/upload`, multipart with the single field `file`, to the service that stores the user. */
export function uploadAvatar(
  { baseUrl, profileUrl = baseUrl, subscriptionKey }: PublicConfig['identity'],
  file: File,
): Promise<PictureAnswer> {
  const body = new FormData();
  body.append('file', file);
  return http({
    path: `${profileUrl}/api/v1/user/profile/upload`,
    method: 'POST',
    body,
    headers: { 'Ocp-Apim-Subscription-Key': subscriptionKey },
    credentials: 'same-origin',
    schema: pictureAnswer,
    // A megabyte over a slow network.
    timeoutMs: 120_000,
  });
}

/** Removing the picture means uploading the default one as `default-avatar.jpg`. */
export async function deleteAvatar(identity: PublicConfig['identity']): Promise<PictureAnswer> {
  const response = await fetch(defaultAvatar.path);
  if (!response.ok) throw new HttpError(response.status, '', response.statusText);
  const picture = await response.blob();
  return uploadAvatar(identity, new File([picture], defaultAvatar.name, { type: picture.type }));
}

export const withPicture = (user: IdentityUser, { picture }: PictureAnswer): IdentityUser => ({
  ...user,
  picture,
});
