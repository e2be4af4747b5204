import { z } from 'zod';
import { limits } from './limits.js';
import { hasInvisibleCharacters } from './text.rule.js';

/** A saved key in `/api/keys`. `lastUsed`: its newest call, updated within two minutes; `null` before the first. */
export const savedKey = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string(),
  createdAt: z.iso.datetime(),
  lastUsed: z.iso.datetime().nullable(),
});
export type SavedKey = z.infer<typeof savedKey>;
export const savedKeyList = z.array(savedKey);

export const createKey = z.strictObject({
  name: z
    .string('Name is required')
    .trim()
    .min(1, 'Name is required')
    .max(limits.keyNameMaxCharacters, `Name must be less than ${limits.keyNameMaxCharacters} characters`)
    .refine((name) => !hasInvisibleCharacters(name), 'Name must not contain invisible or control characters'),
});
export type CreateKey = z.infer<typeof createKey>;
