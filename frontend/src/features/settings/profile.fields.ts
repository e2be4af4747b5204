import { profileUpdate } from '@orange-id/contract/profile.schema';

export type ProfileFieldName = 'displayName' | 'email';

interface ProfileFieldWords {
  label: string;
  placeholder: string;
  help: string;
  type: 'text' | 'email';
  autoComplete: string;
}

/** The fields of Settings with the placeholders of spec §2. */
export const profileFields: Record<ProfileFieldName, ProfileFieldWords> = {
  displayName: {
    label: 'Display Name',
    placeholder: 'Enter display name',
    help: 'How you are called in this portal.',
    type: 'text',
    autoComplete: 'name',
  },
  email: {
    label: 'Email',
    placeholder: 'Enter email address',
    help: 'Where you can be reached about your projects.',
    type: 'email',
    autoComplete: 'email',
  },
};

/** A value that cannot be sent, refused before any call; the message is a sentence for the field. */
export class FieldRefusedError extends Error {
  override readonly name = 'FieldRefusedError';
}

/** Throws `FieldRefusedError` when the contract would refuse this value of this field. */
export function assertAcceptable(field: ProfileFieldName, value: string): void {
  const parsed = profileUpdate.safeParse({ [field]: value });
  if (parsed.success) return;
  throw new FieldRefusedError(fieldSentence(field, parsed.error.issues[0]?.message ?? 'is not valid'));
}

const notAnEmail = 'must be an e-mail address';

/** A sentence from the contract's 'must …' phrase; whole sentences of a server pass as they are. */
export function fieldSentence(field: ProfileFieldName, phrase: string): string {
  if (phrase === notAnEmail) return 'Please enter an email address such as name@example.com.';
  return /^(must|is|has) /.test(phrase) ? `${profileFields[field].label} ${phrase}.` : phrase;
}
