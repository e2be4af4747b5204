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
  /** Its name in the call that saves it. */
  sentAs: keyof ProfileUpdate;
  valueOf: (user: IdentityUser) => string | null | undefined;
  /** Stands before the value, and is no part of it. */
  prefix?: string;
}

/** The email of the profile is easily taken for the one that signs in. */
const emailIsNoSignIn = 'It doesn’t change how you sign in.';

/** What the toast says once a field is saved. */
export const savedSentence = (field: ProfileFieldName): string =>
  `${profileFields[field].label} saved.${field === 'email' ? ` ${emailIsNoSignIn}` : ''}`;

/** The fields of Settings in their order. */
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
    help: `For messages about your account and projects. ${emailIsNoSignIn}`,
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

/** A value that cannot be sent, refused before any call; the message is a sentence for the field. */
export class FieldRefusedError extends Error {
  override readonly name = 'FieldRefusedError';
}

/**
 * What to send to save this value, the changed field and no other: a prefix typed along is left out. Throws
 * `FieldRefusedError` when the contract would refuse it.
 */
export function updateOf(field: ProfileFieldName, value: string): ProfileUpdate {
  const { sentAs, prefix } = profileFields[field];
  // Only before something: alone it is a name that the contract refuses, and not an empty one.
  const isPrefixed = prefix !== undefined && value.startsWith(prefix) && value !== prefix;
  const bare = isPrefixed ? value.slice(prefix.length) : value;
  const update = { [sentAs]: bare };
  const parsed = profileUpdate.safeParse(update);
  if (parsed.success) return update;
  throw new FieldRefusedError(fieldSentence(field, parsed.error.issues[0]?.message ?? 'isn’t valid'));
}

/** What stands under a field that was refused, by the contract or by a server. */
export const fieldSentence = (field: ProfileFieldName, refusal: string): string =>
  refusalText(profileFields[field].label, refusal);
