import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { ErrorBody } from '@orange-id/contract/error.codes';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { perProfileField } from '@orange-id/contract/profile.fields';
import { profileAnswer, type ProfileUpdate, type UpstreamProfile } from '@orange-id/contract/profile.schema';
import { http, type HttpError } from '../http';

/**
 * `POST /api/v1/user/profile` with only the changed fields: to the identity service, or to the portal if it uses a
 * profile service. The response may be wrapped in `data`.
 */
export const updateProfile = (
  { baseUrl, profileUrl = baseUrl, subscriptionKey }: PublicConfig['identity'],
  changes: ProfileUpdate,
): Promise<UpstreamProfile> =>
  http({
    path: `${profileUrl}/api/v1/user/profile`,
    method: 'POST',
    body: changes,
    headers: { 'Ocp-Apim-Subscription-Key': subscriptionKey },
    credentials: 'same-origin',
    schema: profileAnswer,
  });

/**
 * The cached user after a profile update. Each field has the value from the response (`null` means the service did not
 * send the field), otherwise the sent value, otherwise the cached one.
 */
export function withProfile(
  user: IdentityUser,
  changes: ProfileUpdate,
  upstream: UpstreamProfile,
): IdentityUser {
  const { picture, updatedAt } = upstream;
  const known = {
    picture,
    updatedAt,
    ...perProfileField('storedAs', ({ sentAs }) => upstream[sentAs] ?? changes[sentAs]),
  };
  const isNewEmail = (known.email ?? user.email)?.toLowerCase() !== user.email?.toLowerCase();
  const present = Object.entries(known).filter(([, value]) => value != null);
  // An empty text removes the value.
  return {
    ...user,
    ...Object.fromEntries(present.map(([name, value]) => [name, value || null])),
    // A new address is unconfirmed, and what stays in use is unknown, until the service reports it.
    ...(isNewEmail ? { emailVerified: false, confirmedEmail: undefined } : {}),
  };
}

/** The server's message about one field: the detail with its path, otherwise the message of a 400 or 409. */
export function fieldRefusal(error: HttpError, path: string): string | null {
  if (error.status !== 400 && error.status !== 409) return null;
  return detailsOf(error.body).find((detail) => detail.path === path)?.message ?? error.serverMessage ?? null;
}

function detailsOf(body: string): NonNullable<ErrorBody['details']> {
  try {
    return (JSON.parse(body) as Partial<ErrorBody>).details ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
