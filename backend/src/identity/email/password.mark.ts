import { createHash } from 'node:crypto';

/**
 * Identifies one setting of a password: the SHA-256, in hex, of its stored hash, which includes a salt. Another user's
 * password, the same password set again and the next one all have different marks.
 */
export const passwordMark = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('hex');

/** The same in SQL. */
export const passwordMarkSql = `encode(sha256(convert_to(password_hash, 'UTF8')), 'hex')`;
