import { z } from 'zod';

/** What a user types to delete their account. */
export const deletionWord = 'delete';

/** `POST /api/account/deletion` */
export const deletionRequest = z.object({ word: z.literal(deletionWord) });

/** An account that its owner has deleted; until `deletesAt` they can keep it. */
export const deletionState = z.object({ deletesAt: z.string() });
export type DeletionState = z.infer<typeof deletionState>;

/** The session of a sign-in to a deleted account, which can do nothing but keep the account or end. */
export const deletionSession = z.object({ refreshToken: z.string().min(1).max(200) });
export type DeletionSession = z.infer<typeof deletionSession>;
