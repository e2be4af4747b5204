import { limits } from './limits.js';
import { isUserNameSpelling } from './profile.rule.js';

/** A text field of the profile: its names, its rules and its texts in Settings. */
interface Row {
  /** Its name in `POST /api/v1/user/profile`. */
  sentAs: string;
  /** Its property in `IdentityUser` and in the entity `User`, and its column. */
  storedAs: string;
  kind: 'text' | 'email' | 'multiline' | 'country';
  /** In code points. */
  maxCharacters: number;
  /** The longest value that is accepted from a hosted service. */
  upstreamMaxCharacters: number;
  /** Whether it can be changed but not cleared. */
  isKept?: boolean;
  /** The characters that it may have, if not all. */
  spelling?: { isValid: (text: string) => boolean; message: string };
  label: string;
  placeholder: string;
  help: string;
  autoComplete: string;
  /** Shown before the value, but not part of it. */
  prefix?: string;
}

/** The text fields of the profile, in the order of Settings. Schemas, services, the form and tests loop over it. */
export const profileFields = {
  displayName: {
    sentAs: 'displayName',
    storedAs: 'displayName',
    kind: 'text',
    maxCharacters: 80,
    upstreamMaxCharacters: 200,
    isKept: true,
    label: 'Display Name',
    placeholder: 'Enter display name',
    help: 'Shown in this portal.',
    autoComplete: 'name',
  },
  username: {
    sentAs: 'userName',
    storedAs: 'userName',
    kind: 'text',
    maxCharacters: 40,
    upstreamMaxCharacters: 200,
    spelling: {
      isValid: isUserNameSpelling,
      message: 'must use only letters a–z, digits, dots, hyphens and underscores',
    },
    label: 'Username',
    placeholder: 'Enter username',
    help: 'Letters, digits, dots, hyphens and underscores. Must be unique.',
    autoComplete: 'username',
    prefix: '@',
  },
  bio: {
    sentAs: 'displayDesc',
    storedAs: 'bio',
    kind: 'multiline',
    maxCharacters: 1000,
    upstreamMaxCharacters: 5000,
    label: 'Bio',
    placeholder: 'Tell us about yourself',
    help: 'Up to 1,000 characters.',
    autoComplete: 'off',
  },
  email: {
    sentAs: 'email',
    storedAs: 'email',
    kind: 'email',
    maxCharacters: limits.emailMaxCharacters,
    upstreamMaxCharacters: limits.emailMaxCharacters,
    isKept: true,
    label: 'Email',
    placeholder: 'Enter email address',
    help: 'For messages about your account. Changing it doesn’t change how you sign in.',
    autoComplete: 'email',
  },
  location: {
    sentAs: 'country',
    storedAs: 'country',
    kind: 'country',
    maxCharacters: 100,
    upstreamMaxCharacters: 100,
    label: 'Location',
    placeholder: 'Select your country',
    help: 'The country you work from.',
    autoComplete: 'country-name',
  },
} as const satisfies Record<string, Row>;

export type ProfileFieldName = keyof typeof profileFields;
export const profileFieldNames = Object.keys(profileFields) as ProfileFieldName[];

export type ProfileField = Row & Pick<(typeof profileFields)[ProfileFieldName], 'sentAs' | 'storedAs'>;
export const profileRows: readonly ProfileField[] = Object.values(profileFields);

/** An object with one value per profile field, under the name that the field is sent or stored as. */
export const perProfileField = <Name extends 'sentAs' | 'storedAs', Value>(
  name: Name,
  valueOf: (field: ProfileField) => Value,
): Record<ProfileField[Name], Value> =>
  Object.fromEntries(profileRows.map((field) => [field[name], valueOf(field)])) as Record<
    ProfileField[Name],
    Value
  >;
