import { z } from 'zod';
import { limits } from './limits.js';
import { hasInvisibleCharacters, tidyLine } from './text.rule.js';
import { givenTime } from './time.schema.js';

/**
 * A key in `/api/keys` or of a project. `lastUsed` and `callsToday` (since 00:00 UTC) count every recorded call, also
 * rejected ones. `rateLimit` is in calls per second, `null` for the portal's own limit. `replacedAt` is set while a
 * replaced key still works, until `expiresAt`; the new key's `replacesId` is the id of the replaced one.
 */
export const savedKey = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string(),
  createdAt: z.iso.datetime(),
  lastUsed: z.iso.datetime().nullable(),
  callsToday: z.number().int(),
  expiresAt: z.iso.datetime().nullable(),
  rateLimit: z.number().int().nullable(),
  replacesId: z.string().nullable(),
  replacedAt: z.iso.datetime().nullable(),
});
export type SavedKey = z.infer<typeof savedKey>;
export const savedKeyList = z.array(savedKey);

const keyName = z
  .string('Name is required')
  .overwrite(tidyLine)
  .min(1, 'Name is required')
  .max(limits.keyNameMaxCharacters, `Name must be less than ${limits.keyNameMaxCharacters} characters`)
  .refine((name) => !hasInvisibleCharacters(name), 'Name must not contain invisible or control characters');

export const createKey = z.strictObject({ name: keyName });
export type CreateKey = z.infer<typeof createKey>;

const callsPerSecond = 'must be a whole number of calls per second, at least 1, or null for no limit';

/** The expiry and the limit of a key; `null` for none. */
const keyTerms = {
  expiresAt: givenTime('2027-01-31T12:00:00Z, or null for no expiry').nullable().optional(),
  rateLimit: z
    .int(callsPerSecond)
    .min(1, callsPerSecond)
    .max(1_000_000, callsPerSecond)
    .nullable()
    .optional(),
};

/** `PATCH /api/keys/:id`; missing fields stay, `null` removes the expiry or the limit. */
export const changeKey = z
  .strictObject({ name: keyName.optional(), ...keyTerms })
  .refine((change) => Object.keys(change).length > 0, 'must contain name, expiresAt or rateLimit');
export type ChangeKey = z.infer<typeof changeKey>;

const overlap = `must be a whole number of days from 0 to ${limits.keyOverlapMaxDays}; with 0 the old key stops at once`;

/** The body of a rotation. Without `expiresAt` the new key has no expiry; without `rateLimit` it has the old key's limit. */
export const rotateKey = z.strictObject({
  overlapDays: z.int(overlap).min(0, overlap).max(limits.keyOverlapMaxDays, overlap),
  ...keyTerms,
});
export type RotateKey = z.infer<typeof rotateKey>;
