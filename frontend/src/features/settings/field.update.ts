import { profileFields, type ProfileField, type ProfileFieldName } from '@orange-id/contract/profile.fields';
import { profileUpdate, type ProfileUpdate } from '@orange-id/contract/profile.schema';
import { refusalText } from '../../ui/refusal.text';

/** Users easily mistake the profile's email for the one that they sign in with. */
const signInStays = 'Your sign-in methods haven’t changed.';

/** The toast's sentence for a saved field. */
export const savedSentence = (field: ProfileFieldName): string =>
  `${profileFields[field].label} saved.${field === 'email' ? ` ${signInStays}` : ''}`;

/** An invalid value, rejected before any request. The message is the sentence under the field. */
export class FieldRefusedError extends Error {
  override readonly name = 'FieldRefusedError';
}

/**
 * The update that saves this value: only the changed field, without a typed prefix. Throws `FieldRefusedError` if the
 * contract rejects it.
 */
export function updateOf(field: ProfileFieldName, value: string): ProfileUpdate {
  const { sentAs, prefix }: ProfileField = profileFields[field];
  // A prefix alone is kept, so that the contract rejects it; stripped, it would be a valid empty name.
  const isPrefixed = prefix !== undefined && value.startsWith(prefix) && value !== prefix;
  const bare = isPrefixed ? value.slice(prefix.length) : value;
  const update = { [sentAs]: bare };
  const parsed = profileUpdate.safeParse(update);
  if (parsed.success) return update;
  throw new FieldRefusedError(fieldSentence(field, parsed.error.issues[0]?.message ?? 'isn’t valid'));
}

/** The error under a field that the contract or a server rejected. */
export const fieldSentence = (field: ProfileFieldName, refusal: string): string =>
  refusalText(profileFields[field].label, refusal);
