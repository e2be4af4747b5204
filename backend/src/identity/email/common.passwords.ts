import { limits } from '@orange-id/contract/limits';
import { dictionary } from '@zxcvbn-ts/language-common';

const commonPasswords = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= limits.passwordMinCharacters),
);

/** Whether attackers try this password among the first; letter case, and letters that hash the same, do not matter. */
export const isCommonPassword = (password: string): boolean =>
  commonPasswords.has(password.normalize('NFKC').toLowerCase());
