import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { profileUpdate, type ProfileUpdate } from '@orange-id/contract/profile.schema';
import { refusalText } from '../../ui/refusal.text';

/** The fields of the profile form. */
export type ProfileFieldName = 'displayName' | 'username' | 'bio' | 'email' | 'location';

interface ProfileFieldWords {
  label: string;
  placeholder: string;
  help: string;
  kind: 'text' | 'email' | 'multiline' | 'country';
  autoComplete: string;
  /** Its name in the request that saves it. */
  sentAs: keyof ProfileUpdate;
  valueOf: (user: IdentityUser) => string | null | undefined;
  /** Shown before the value, but not part of it. */
  prefix?: string;
}

/** Users easily mistake the profile's email for the one that signs in. */
const signInStays = 'You still sign in the same way.';

/** The toast's sentence for a saved field. */
export const savedSentence = (field: ProfileFieldName): string =>
  `${profileFields[field].label} saved.${field === 'email' ? ` ${signInStays}` : ''}`;

/** The profile fields, in the order of Settings. */
export const profileFields: Record<ProfileFieldName, ProfileFieldWords> = {
  displayName: {
    label: 'Display Name',
    placeholder: 'Enter display name',
    help: 'Shown in this portal.',
    kind: 'text',
    autoComplete: 'name',
    sentAs: 'displayName',
    valueOf: ({ displayName }) => displayName,
  },
  username: {
    label: 'Username',
    placeholder: 'Enter username',
    help: 'Letters, digits, dots, hyphens and underscores. Must be unique.',
    kind: 'text',
    autoComplete: 'username',
    sentAs: 'userName',
    valueOf: ({ userName }) => userName,
    prefix: '@',
  },
  bio: {
    label: 'Bio',
    placeholder: 'Tell us about yourself',
    help: 'Up to 1,000 characters.',
    kind: 'multiline',
    autoComplete: 'off',
    sentAs: 'displayDesc',
    valueOf: ({ bio }) => bio,
  },
  email: {
    label: 'Email',
    placeholder: 'Enter email address',
    help: 'For messages about your account. Changing it doesn’t change how you sign in.',
    kind: 'email',
    autoComplete: 'email',
    sentAs: 'email',
    valueOf: ({ email }) => email,
  },
  location: {
    label: 'Location',
    placeholder: 'Select your country',
    help: 'The country you work from.',
    kind: 'country',
    autoComplete: 'country-name',
    sentAs: 'country',
    valueOf: ({ country }) => country,
  },
};

export const profileFieldNames = Object.keys(profileFields) as ProfileFieldName[];

/** An invalid value, rejected before any request. The message is the sentence under the field. */
export class FieldRefusedError extends Error {
  override readonly name = 'FieldRefusedError';
}

/**
 * The update that saves this value: only the changed field, without a typed prefix. Throws `FieldRefusedError` if the
 * contract rejects it.
 */
export function updateOf(field: ProfileFieldName, value: string): ProfileUpdate {
  const { sentAs, prefix } = profileFields[field];
  // A prefix alone stays, so that the contract rejects it; without it, it would be a valid empty name.
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
