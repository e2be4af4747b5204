import { createHash } from 'node:crypto';

/**
 * Identifies a password from when it is set until it is changed: the SHA-256, in hex, of its stored hash. The hash is
 * salted, so the mark changes even if the same password is set again, and no two users share one.
 */
export const passwordMark = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('hex');

/** The same in SQL. */
export const passwordMarkSql = `encode(sha256(convert_to(password_hash, 'UTF8')), 'hex')`;
