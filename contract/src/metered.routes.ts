import { z } from 'zod';
import { limits } from './limits.js';
import {
  gameSave,
  gameSaved,
  gameScore,
  gameScoreResult,
  liveLeaderboard,
  savedGameData,
} from './games.schema.js';
import { siweMessage, walletLink } from './identity.schema.js';
import {
  meteredPaths,
  type MeteredParameter,
  type MeteredPath,
  type MeteredRouteId,
} from './metered.paths.js';

export interface MeteredRoute extends MeteredPath {
  /** The schema of the body, if the route takes one. */
  body?: z.ZodType;
  /** The longest body in bytes; 65,536 by default. */
  bodyLimit?: number;
  response: z.ZodType;
}

const keyInfo = z.object({
  project: z.object({ code: z.string(), name: z.string() }).nullable(),
  name: z.string(),
  prefix: z.string(),
});

/** `balance` in units of `currency`, a decimal string; without a price `usd_value` is null and `usd_reason` is set. */
export const walletBalance = z.object({
  address: z.string(),
  balance: z.string(),
  currency: z.string(),
  usd_value: z.number().nullable(),
  usd_reason: z.string().optional(),
});

const block = z.number().int();

/** `value` in units of `currency`, as a decimal string. `to` is null for the creation of a contract. */
const walletTransactions = z.object({
  address: z.string(),
  transactions: z.array(
    z.object({
      hash: z.string(),
      block_number: block,
      timestamp: z.iso.datetime(),
      from: z.string(),
      to: z.string().nullable(),
      value: z.string(),
      currency: z.string(),
      direction: z.enum(['in', 'out', 'self']),
    }),
  ),
  scanned: z.object({ from_block: block, to_block: block }),
  latest_block: block,
  next: block.nullable(),
  coverage: z.string(),
});

/** `text` is what the wallet signs, `message` the fields it is made of. */
const walletMessage = z.object({
  message: siweMessage.required(),
  text: z.string(),
  expires_at: z.iso.datetime(),
});

const connectedWallet = z.object({
  project: z.string(),
  address: z.string(),
  first_connected_at: z.iso.datetime(),
  last_connected_at: z.iso.datetime(),
});

/** `source`: in the portal's list, or added. `price_pair`: the pair of its price feed; null if it has no feed. */
const token = z.object({
  address: z.string(),
  name: z.string(),
  symbol: z.string(),
  decimals: z.number().int(),
  source: z.enum(['list', 'added']),
  price_pair: z.string().nullable(),
});

const tokens = z.object({
  tokens: z.array(token),
  list: z.object({ name: z.string(), version: z.string(), url: z.string(), license: z.string() }),
});

const tokenPrice = z.object({
  usd: z.number(),
  pair: z.string(),
  feed: z.string(),
  updated_at: z.iso.datetime(),
});

/**
 * Every route that takes an API key and is metered. The server's routes, the OpenAPI document, the documentation,
 * the explorer and all code snippets derive from this table.
 */
export const meteredRoutes = {
  walletBalance: { ...meteredPaths.walletBalance, response: walletBalance },
  walletTransactions: { ...meteredPaths.walletTransactions, response: walletTransactions },
  walletMessage: { ...meteredPaths.walletMessage, response: walletMessage },
  walletConnect: { ...meteredPaths.walletConnect, body: walletLink, response: connectedWallet },
  tokens: { ...meteredPaths.tokens, response: tokens },
  addToken: {
    ...meteredPaths.addToken,
    body: z.strictObject({ address: z.string().max(100, 'must be an address') }),
    response: token.extend({ total_supply: z.string() }),
  },
  token: {
    ...meteredPaths.token,
    response: token.extend({ total_supply: z.string().nullable(), price: tokenPrice.nullable() }),
  },
  gameData: { ...meteredPaths.gameData, response: savedGameData },
  saveGameData: {
    ...meteredPaths.saveGameData,
    body: gameSave,
    // JSON may escape each character, and what counts is how it is stored.
    bodyLimit: 3 * limits.gameDataBytes,
    response: gameSaved,
  },
  addScore: {
    ...meteredPaths.addScore,
    body: gameScore,
    response: gameScoreResult,
  },
  leaderboard: { ...meteredPaths.leaderboard, response: liveLeaderboard },
  key: { ...meteredPaths.key, response: keyInfo },
} as const satisfies Record<MeteredRouteId, MeteredRoute>;

type Routes = typeof meteredRoutes;

type ValueOf<P extends MeteredParameter> = P['type'] extends 'integer'
  ? number
  : P['type'] extends 'address'
    ? `0x${string}`
    : P extends { values: readonly (infer V)[] }
      ? V
      : string;

/** The checked input of a route: its parameters by name, addresses with their checksum, and its body. */
export interface MeteredInput<Id extends MeteredRouteId> {
  parameters: {
    readonly [P in Routes[Id]['parameters'][number] as P['name']]: P['required'] extends true
      ? ValueOf<P>
      : ValueOf<P> | undefined;
  };
  body: Routes[Id] extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;
}

/** The body of a route's 200 response. */
export type MeteredAnswer<Id extends MeteredRouteId> = z.infer<Routes[Id]['response']>;
