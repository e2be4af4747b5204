import { limits } from './limits.js';

/** The message for text that is not an email address. */
export const notAnEmail = 'must be an email address';

/** Whether the local part is longer than mail servers must accept (RFC 5321 §4.5.3.1.1). */
export const isLocalPartTooLong = (address: string): boolean =>
  address.lastIndexOf('@') > limits.emailLocalPartMaxCharacters;
