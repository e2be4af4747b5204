import { invalidKeySample, keyPath } from './first.call.js';

/** The header that carries an API key. */
export const apiKeyHeader = 'x-api-key';

/** The groups of calls in the documentation, in its order. */
export const meteredGroups = {
  wallet: { title: 'Wallet APIs', description: 'Balances, transactions and connected wallets.' },
  token: { title: 'Token APIs', description: 'Well-known tokens, tokens you add, and their prices.' },
  defi: {
    title: 'DeFi APIs',
    description: 'An illustration of what such calls could look like. They can’t be called.',
  },
  key: { title: 'Key APIs', description: 'What a key belongs to.' },
} as const;

export type MeteredGroup = keyof typeof meteredGroups;

export interface MeteredParameter {
  name: string;
  in: 'path' | 'query';
  /** `address`: an Ethereum address. `integer`: a whole number from `minimum` to `maximum`. */
  type: 'address' | 'integer' | 'text';
  minimum?: number;
  maximum?: number;
  /** Always true in a path. */
  required: boolean;
  description: string;
  example: string;
}

/** A metered route without the schemas of its body and response, so that pages that only show calls load no schemas. */
export interface MeteredPath {
  group: MeteredGroup;
  method: 'GET' | 'POST';
  /** The template, as stored in usage rows; `{name}` stands for the path parameter of that name. */
  path: `/api/v1/${string}`;
  title: string;
  description: string;
  /** Every call needs a key: without one there is nobody to record it for. */
  requiresAuth: true;
  parameters: readonly MeteredParameter[];
  /** A body to start from, of a route that takes one. */
  bodyExample?: unknown;
  samples: readonly { statusCode: number; body: unknown }[];
}

const sampleAddress = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const ownAddress =
  'An Ethereum address. With a key that belongs to no project it defaults to the linked wallet of the key’s owner; with a project’s key it’s required, because others use that key too.';

/** The calls of `meteredRoutes`. */
export const meteredPaths = {
  walletBalance: {
    group: 'wallet',
    method: 'GET',
    path: '/api/v1/wallet/balance',
    title: 'Get wallet balance',
    description: 'The balance of an Ethereum address, read from the chain.',
    requiresAuth: true,
    parameters: [
      {
        name: 'address',
        in: 'query',
        type: 'address',
        description: ownAddress,
        required: false,
        example: sampleAddress,
      },
    ],
    samples: [
      {
        statusCode: 200,
        body: { address: sampleAddress, balance: '1.5', currency: 'ETH', usd_value: 4500 },
      },
      invalidKeySample,
    ],
  },
  key: keyPath,
} as const satisfies Record<string, MeteredPath>;

export type MeteredRouteId = keyof typeof meteredPaths;
