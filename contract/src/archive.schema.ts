import { z } from 'zod';

/** `GET` and `POST /api/account/archive`: the archive of the account's data, if one was asked for in the last 24 h. */
export const archiveState = z.object({
  state: z.enum(['none', 'preparing', 'ready']),
  askedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
});
export type ArchiveState = z.infer<typeof archiveState>;

/** The name of the downloaded file. */
export const archiveFileName = 'orange-id-data.json';
