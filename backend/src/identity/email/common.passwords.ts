import { limits } from '@orange-id/contract/limits';
import { dictionary } from '@zxcvbn-ts/language-common';

const commonPasswords = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= limits.passwordMinCharacters),
);

/** Whether attackers try this password early; ignores letter case and Unicode variants (NFKC) with the same hash. */
export const isCommonPassword = (password: string): boolean =>
  commonPasswords.has(password.normalize('NFKC').toLowerCase());
