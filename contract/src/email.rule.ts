import { limits } from './limits.js';

/** What is said of text that is no email address at all. */
export const notAnEmail = 'must be an email address';

/** Whether an address has more before the @ than a mail server has to accept (RFC 5321 §4.5.3.1.1). */
export const isLocalPartTooLong = (address: string): boolean =>
  address.lastIndexOf('@') > limits.emailLocalPartMaxCharacters;
