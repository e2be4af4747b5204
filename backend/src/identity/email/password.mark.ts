import { createHash } from 'node:crypto';

/**
 * Names one setting of a password: the SHA-256, in hex, of its stored hash, which holds a salt of its own. Somebody
 * else's password, the same one set again and the next one all have other marks.
 */
export const passwordMark = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('hex');

/** The same in SQL. */
export const passwordMarkSql = `encode(sha256(convert_to(password_hash, 'UTF8')), 'hex')`;
