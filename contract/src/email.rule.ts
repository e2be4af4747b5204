import { limits } from './limits.js';

const example = 'an email like name@example.com';

/** Messages for text that is not an email address: the API's, which follows the field's name, and that of a form. */
export const notAnEmail = `must be ${example}`;
export const enterEmail = `Enter ${example}`;

/**
 * A domain as mail servers take it: in lower case, and an international one in its ASCII form (UTS #46, as in URLs).
 * Returns a domain that has none as it is.
 */
export function asciiDomain(domain: string): string {
  const lower = domain.toLowerCase();
  if (/^[\x21-\x7e]*$/.test(lower)) return lower;
  // Characters that end or change the host of a URL, and invisible ones, which URLs drop.
  if (lower.length > 253 || /[\s/?#:@\\[\]%<>^|\p{Cc}\p{Cf}]/u.test(lower)) return domain;
  const address = `http://${lower}`;
  if (!URL.canParse(address)) return domain;
  const { hostname } = new URL(address);
  return hostname.split('.').every((label) => label.length <= 63) ? hostname : domain;
}

/** An email with its domain as `asciiDomain` returns it; a text without an `@` as it is. */
export const withAsciiDomain = (address: string): string =>
  address.replace(/@([^@]*)$/, (_, domain: string) => `@${asciiDomain(domain)}`);

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
