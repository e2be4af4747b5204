import { limits } from './limits.js';

const example = 'an email like name@example.com';

/** Messages for text that is not an email address: the API's, which follows the field's name, and that of a form. */
export const notAnEmail = `must be ${example}`;
export const enterEmail = `Enter ${example}`;

/** Whether the local part is longer than mail servers must accept (RFC 5321 §4.5.3.1.1). */
export const isLocalPartTooLong = (address: string): boolean =>
  address.lastIndexOf('@') > limits.emailLocalPartMaxCharacters;

/** Text split at the email addresses in it, which are at the odd indexes. A full stop after one isn't a part of it. */
export const splitAtEmails = (text: string): string[] =>
  text.split(/([^\s<>()"“”,;]+)/).reduce<string[]>(
    (parts, word, place) => {
      const end = word.endsWith('.') ? -1 : word.length;
      const email = place % 2 === 1 && /[^@]@[^@]/.test(word) ? word.slice(0, end) : '';
      if (email !== '') return [...parts, email, word.slice(email.length)];
      return [...parts.slice(0, -1), (parts.at(-1) ?? '') + word];
    },
    [''],
  );
