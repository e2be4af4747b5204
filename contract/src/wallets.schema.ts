import { z } from 'zod';
import { limits } from './limits.js';
import { wholeNumber } from './whole.number.schema.js';

const time = z.iso.datetime();

/** A page of `GET /api/projects/:code/wallets`; `next` is the `after` of the next page, or null on the last. */
export const connectedWallets = z.object({
  wallets: z.array(z.object({ address: z.string(), firstConnectedAt: time, lastConnectedAt: time })),
  total: z.number(),
  next: z.string().nullable(),
});
export type ConnectedWallets = z.infer<typeof connectedWallets>;

export const connectedWalletsQuery = z.strictObject({
  limit: wholeNumber(1, limits.connectedWalletsPerPageMax).default(limits.connectedWalletsPerPage),
  after: z
    .string()
    .regex(/^\d{1,15}-0x[0-9a-fA-F]{40}$/, 'must be the `next` of an earlier page')
    .optional(),
});
export type ConnectedWalletsQuery = z.infer<typeof connectedWalletsQuery>;
