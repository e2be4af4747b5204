import { z } from 'zod';
import { meteredPaths, type MeteredPath } from './metered.paths.js';

export interface MeteredRoute extends MeteredPath {
  response: z.ZodType;
}

export const keyInfo = z.object({
  project: z.object({ code: z.string(), name: z.string() }).nullable(),
  name: z.string(),
  prefix: z.string(),
});
export type KeyInfo = z.infer<typeof keyInfo>;

/** `balance` in units of `currency`, as a decimal string; `usd_value` is null, with a `usd_reason`, without a price. */
export const walletBalance = z.object({
  address: z.string(),
  balance: z.string(),
  currency: z.string(),
  usd_value: z.number().nullable(),
  usd_reason: z.string().optional(),
});
export type WalletBalance = z.infer<typeof walletBalance>;

/**
 * Every route that takes an API key and is metered. The server's routes, the OpenAPI document, the documentation,
 * the explorer and all code snippets derive from this table.
 */
export const meteredRoutes = {
  walletBalance: { ...meteredPaths.walletBalance, response: walletBalance },
  key: { ...meteredPaths.key, response: keyInfo },
} as const satisfies Record<keyof typeof meteredPaths, MeteredRoute>;

export type MeteredRouteId = keyof typeof meteredRoutes;
