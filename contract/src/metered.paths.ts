import { invalidKeySample, keyPath } from './first.call.js';
import { limits } from './limits.js';
import { connectStatement } from './siwe.statement.js';

/** The header that carries an API key. */
export const apiKeyHeader = 'x-api-key';

/** The groups of calls in the documentation, in its order. */
export const meteredGroups = {
  wallet: { title: 'Wallet APIs', description: 'Balances, transactions and connected wallets.' },
  token: { title: 'Token APIs', description: 'Well-known tokens, tokens you add, and their prices.' },
  defi: {
    title: 'DeFi APIs',
    description: 'Illustration only: these endpoints can’t be called.',
  },
  game: {
    title: 'Game APIs',
    description: 'Saved data, scores and leaderboards of the games of a project.',
  },
  key: { title: 'Key APIs', description: 'Look up a key’s project and name.' },
} as const;

export type MeteredGroup = keyof typeof meteredGroups;

export interface MeteredParameter {
  name: string;
  /** The only parameter in a header is `Authorization`. */
  in: 'path' | 'query' | 'header';
  /** `address`: an Ethereum address. `integer`: a whole number from `minimum` to `maximum`. */
  type: 'address' | 'integer' | 'text';
  minimum?: number;
  maximum?: number;
  /** The only values of a `text`. */
  values?: readonly string[];
  /** Always true in a path. */
  required: boolean;
  description: string;
  example: string;
}

/** A field of a body; all are required. */
export interface MeteredField {
  name: string;
  type: 'address' | 'object' | 'text' | 'number' | 'any';
  description: string;
}

/** A metered route without the schemas of its body and response, so that pages that only show calls load no schemas. */
export interface MeteredPath {
  group: MeteredGroup;
  method: 'GET' | 'POST' | 'PUT';
  /** The template, as stored in usage rows; `{name}` stands for the path parameter of that name. */
  path: `/api/v1/${string}`;
  title: string;
  description: string;
  /** Every call needs a key, because its usage is recorded for the key's owner. */
  requiresAuth: true;
  parameters: readonly MeteredParameter[];
  /** A body to start from, of a route that takes one. */
  bodyExample?: unknown;
  /** The fields of that body. */
  bodyFields?: readonly MeteredField[];
  samples: readonly { statusCode: number; body: unknown }[];
}

const sampleAddress = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** The scope of transaction search: a node has no index of addresses. */
export const transactionsCoverage =
  'Contains the transactions that the address sent or that name it as their recipient, also those that failed. Contains no token transfers and no transfers made by contracts, which a node doesn’t index by address.';

const sampleToken = {
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
  source: 'list',
  price_pair: 'USDC / USD',
};

const sampleMessage = {
  domain: 'portal.example.com',
  address: sampleAddress,
  statement: connectStatement('orange-k3x9p2m7qa'),
  uri: 'https://portal.example.com',
  version: '1',
  chainId: 1,
  nonce: '4b1f9e0c7a2d4e6f8a9b0c1d2e3f4a5b',
  issuedAt: '2026-01-31T12:00:00.000Z',
};

const ownAddress = {
  name: 'address',
  in: 'query',
  type: 'address',
  description:
    'An Ethereum address. With a key that belongs to no project it defaults to the linked wallet of the key’s owner; with a project’s key it’s required, because others use that key too.',
  required: false,
  example: sampleAddress,
} as const satisfies MeteredParameter;

const game = {
  name: 'game',
  in: 'path',
  type: 'text',
  description: 'The ID of a game of the key’s project, as My Projects lists it.',
  required: true,
  example: 'coin-rush',
} as const satisfies MeteredParameter;

const player = {
  name: 'Authorization',
  in: 'header',
  type: 'text',
  description:
    'Bearer and the access token of a player who is signed in to the key’s project. The key names the project, the token the player.',
  required: true,
  example: 'Bearer PLAYER_ACCESS_TOKEN',
} as const satisfies MeteredParameter;

const sampleData = { data: { level: 3, coins: 120 }, version: 2, saved_at: '2026-01-31T12:00:00.000Z' };

/** The calls of `meteredRoutes`. */
export const meteredPaths = {
  walletBalance: {
    group: 'wallet',
    method: 'GET',
    path: '/api/v1/wallet/balance',
    title: 'Get wallet balance',
    description: 'The balance of an Ethereum address, read from the chain.',
    requiresAuth: true,
    parameters: [ownAddress],
    samples: [
      {
        statusCode: 200,
        body: { address: sampleAddress, balance: '1.5', currency: 'ETH', usd_value: 4500 },
      },
      invalidKeySample,
    ],
  },
  walletTransactions: {
    group: 'wallet',
    method: 'GET',
    path: '/api/v1/wallet/transactions',
    title: 'Get wallet transactions',
    description: `The transactions of an address in the latest blocks, newest first, read from the chain block by block. The response names the blocks that were read; pass its next as cursor to read older ones. ${transactionsCoverage}`,
    requiresAuth: true,
    parameters: [
      ownAddress,
      {
        name: 'blocks',
        in: 'query',
        type: 'integer',
        minimum: 1,
        maximum: limits.transactionBlocksMax,
        description: `How many blocks to read, from 1 to ${limits.transactionBlocksMax}; ${limits.transactionBlocks} by default. A response with ${limits.transactionsPerAnswer} transactions or more ends earlier, after a whole block.`,
        required: false,
        example: '10',
      },
      {
        name: 'cursor',
        in: 'query',
        type: 'integer',
        minimum: 0,
        description:
          'The newest block to read: the next of an earlier response. Defaults to the latest block.',
        required: false,
        example: '21000000',
      },
    ],
    samples: [
      {
        statusCode: 200,
        body: {
          address: sampleAddress,
          transactions: [
            {
              hash: `0x${'8a'.repeat(32)}`,
              block_number: 20999998,
              timestamp: '2024-10-20T03:51:11.000Z',
              from: sampleAddress,
              to: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
              value: '0.25',
              currency: 'ETH',
              direction: 'out',
            },
          ],
          scanned: { from_block: 20999991, to_block: 21000000 },
          latest_block: 21000000,
          next: 20999990,
          coverage: transactionsCoverage,
        },
      },
      invalidKeySample,
    ],
  },
  walletMessage: {
    group: 'wallet',
    method: 'GET',
    path: '/api/v1/wallet/message',
    title: 'Get a message that connects a wallet',
    description:
      'A message (EIP-4361) for the owner of a wallet to sign, as fields and as text. It names the project of the key, and it’s valid for five minutes and one attempt. Let the wallet sign the text unchanged, then send the fields and the signature to POST /api/v1/wallet/connect.',
    requiresAuth: true,
    parameters: [
      {
        name: 'address',
        in: 'query',
        type: 'address',
        description: 'The address of the wallet that will sign.',
        required: true,
        example: sampleAddress,
      },
    ],
    samples: [
      {
        statusCode: 200,
        body: {
          message: sampleMessage,
          text: [
            `${sampleMessage.domain} wants you to sign in with your Ethereum account:`,
            `${sampleMessage.address}\n`,
            `${sampleMessage.statement}\n`,
            `URI: ${sampleMessage.uri}`,
            `Version: ${sampleMessage.version}`,
            `Chain ID: ${sampleMessage.chainId}`,
            `Nonce: ${sampleMessage.nonce}`,
            `Issued At: ${sampleMessage.issuedAt}`,
          ].join('\n'),
          expires_at: '2026-01-31T12:05:00.000Z',
        },
      },
      invalidKeySample,
    ],
  },
  walletConnect: {
    group: 'wallet',
    method: 'POST',
    path: '/api/v1/wallet/connect',
    title: 'Connect a wallet',
    description:
      'Verifies a signed message, then adds the wallet to the connected wallets of the key’s project. It doesn’t sign anyone in or link the wallet to an account. Call it with a project’s key and with the message of GET /api/v1/wallet/message; a refused attempt uses up the message.',
    requiresAuth: true,
    parameters: [],
    bodyExample: { message: sampleMessage, signature: `0x${'5f'.repeat(64)}1b` },
    bodyFields: [
      {
        name: 'message',
        type: 'object',
        description: 'The message of GET /api/v1/wallet/message, unchanged.',
      },
      {
        name: 'signature',
        type: 'text',
        description: 'The wallet’s signature of its text, 0x and hex digits.',
      },
    ],
    samples: [
      {
        statusCode: 200,
        body: {
          project: 'orange-k3x9p2m7qa',
          address: sampleAddress,
          first_connected_at: '2026-01-31T12:00:30.000Z',
          last_connected_at: '2026-01-31T12:00:30.000Z',
        },
      },
      invalidKeySample,
    ],
  },
  tokens: {
    group: 'token',
    method: 'GET',
    path: '/api/v1/tokens',
    title: 'List tokens',
    description:
      'The portal’s list of well-known tokens on Ethereum mainnet with its source, then the tokens you added, newest first. A project’s key shows the tokens added with that project’s keys. A key without a project shows the tokens added with all keys of its owner that have no project.',
    requiresAuth: true,
    parameters: [],
    samples: [
      {
        statusCode: 200,
        body: {
          tokens: [sampleToken],
          list: {
            name: 'Aave token list',
            version: '3.0.162',
            url: 'https://www.npmjs.com/package/@bgd-labs/aave-address-book',
            license: 'MIT',
          },
        },
      },
      invalidKeySample,
    ],
  },
  addToken: {
    group: 'token',
    method: 'POST',
    path: '/api/v1/tokens',
    title: 'Add a token',
    description: `Reads the name, symbol, decimals and total supply of a token from its contract and adds it to your tokens; those of the portal’s list are returned as listed. Names are shortened to ${limits.tokenNameMaxCharacters} characters and symbols to ${limits.tokenSymbolMaxCharacters}, without invisible characters: anybody can deploy a token with any name, so go by the address. You can keep ${limits.addedTokensPerList} tokens; another one replaces the oldest. To keep a token, add it again.`,
    requiresAuth: true,
    parameters: [],
    bodyExample: { address: sampleToken.address },
    bodyFields: [{ name: 'address', type: 'address', description: 'The address of the token’s contract.' }],
    samples: [
      { statusCode: 200, body: { ...sampleToken, total_supply: '25382764821.123456' } },
      invalidKeySample,
    ],
  },
  token: {
    group: 'token',
    method: 'GET',
    path: '/api/v1/tokens/{id}',
    title: 'Get a token',
    description:
      'A token of the portal’s list, or one you added, with its total supply and, if the list has an on-chain price feed for it, its price in US dollars. The pair in the price says what the feed prices: for WETH it is ether, for WBTC bitcoin.',
    requiresAuth: true,
    parameters: [
      {
        name: 'id',
        in: 'path',
        type: 'address',
        description: 'The address of the token’s contract.',
        required: true,
        example: sampleToken.address,
      },
    ],
    samples: [
      {
        statusCode: 200,
        body: {
          ...sampleToken,
          total_supply: '25382764821.123456',
          price: {
            usd: 0.9998,
            pair: 'USDC / USD',
            feed: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
            updated_at: '2026-01-31T09:12:47.000Z',
          },
        },
      },
      invalidKeySample,
    ],
  },
  gameData: {
    group: 'game',
    method: 'GET',
    path: '/api/v1/games/{game}/data',
    title: 'Get a player’s saved data',
    description:
      'What the game saved for this player last, with its version. Before the first save, data and saved_at are null and the version is 0: start with the game’s own defaults.',
    requiresAuth: true,
    parameters: [game, player],
    samples: [{ statusCode: 200, body: sampleData }, invalidKeySample],
  },
  saveGameData: {
    group: 'game',
    method: 'PUT',
    path: '/api/v1/games/{game}/data',
    title: 'Save a player’s data',
    description: `Replaces what is saved for this player with any JSON value but null, at most ${limits.gameDataBytes.toLocaleString('en-US')} bytes and ${limits.gameDataLevels} levels deep. The version must be that of the data you started from. If another device has saved since, the response is a 409 with the newer data as current: merge, then save with its version.`,
    requiresAuth: true,
    parameters: [game, player],
    bodyExample: { data: sampleData.data, version: 1 },
    bodyFields: [
      { name: 'data', type: 'any', description: 'The data to save: any JSON value but null.' },
      {
        name: 'version',
        type: 'number',
        description: 'The version that the data is based on; 0 for the first save.',
      },
    ],
    samples: [
      { statusCode: 200, body: { version: 2, saved_at: sampleData.saved_at } },
      invalidKeySample,
      {
        statusCode: 409,
        body: {
          statusCode: 409,
          message: 'The data was saved elsewhere in the meantime. Merge it with current and save again',
          error: 'Conflict',
          code: 'game.dataChanged',
          current: sampleData,
        },
      },
    ],
  },
  addScore: {
    group: 'game',
    method: 'POST',
    path: '/api/v1/games/{game}/scores',
    title: 'Report a score',
    description: `Records the score of a finished game. The leaderboard keeps each player’s best of today (UTC) and of all time. A rank beyond 10,000 is null. A player can report ${limits.gameScoresPerMinute} scores a minute. The score comes from the player’s device and can be forged, so don’t pay out by it alone.`,
    requiresAuth: true,
    parameters: [game, player],
    bodyExample: { score: 1250 },
    bodyFields: [
      { name: 'score', type: 'number', description: 'The score: a finite number; more is better.' },
    ],
    samples: [
      {
        statusCode: 200,
        body: { best: 1250, is_best: true, rank_today: 1, rank: 4 },
      },
      invalidKeySample,
    ],
  },
  leaderboard: {
    group: 'game',
    method: 'GET',
    path: '/api/v1/games/{game}/leaderboard',
    title: 'Get the leaderboard',
    description:
      'The best scores of a game, one for each player, the best first. The name is null unless the player lets your app see it. Players with the same score have the same rank. For a live leaderboard, send the version you have as after: the response comes when it changes.',
    requiresAuth: true,
    parameters: [
      game,
      {
        name: 'period',
        in: 'query',
        type: 'text',
        values: ['all', 'today'],
        description: 'The period: all (default), or today (UTC).',
        required: false,
        example: 'today',
      },
      {
        name: 'limit',
        in: 'query',
        type: 'integer',
        minimum: 1,
        maximum: limits.leaderboardMax,
        description: `How many players, from 1 to ${limits.leaderboardMax}; ${limits.leaderboard} by default.`,
        required: false,
        example: '10',
      },
      {
        name: 'after',
        in: 'query',
        type: 'text',
        description: `The version you have. The call waits until the leaderboard has another one, at most ${limits.leaderboardWaitSeconds} seconds. If ${limits.leaderboardWaitsPerOwner} calls with your keys wait already, or ${limits.leaderboardWaitsPerAddress} from one address, the response is a 429.`,
        required: false,
        example: 'b1946ac92492d234',
      },
    ],
    samples: [
      {
        statusCode: 200,
        body: {
          version: 'b1946ac92492d234',
          scores: [
            { rank: 1, name: 'Mira', score: 1900, at: '2026-01-31T11:58:00.000Z' },
            { rank: 2, name: null, score: 1250, at: '2026-01-31T12:00:00.000Z' },
          ],
        },
      },
      invalidKeySample,
    ],
  },
  key: keyPath,
} as const satisfies Record<string, MeteredPath>;

export type MeteredRouteId = keyof typeof meteredPaths;

/** Calls that the documentation only illustrates: the server responds to them with `route.illustration`. */
export const illustratedPaths = {
  defiPools: {
    group: 'defi',
    method: 'GET',
    path: '/api/v1/defi/pools',
    title: 'List pools',
    description: 'Illustration: the liquidity pools of a protocol.',
  },
  defiSwap: {
    group: 'defi',
    method: 'POST',
    path: '/api/v1/defi/swap',
    title: 'Swap tokens',
    description: 'Illustration: an exchange of one token for another.',
  },
  defiYields: {
    group: 'defi',
    method: 'GET',
    path: '/api/v1/defi/yields',
    title: 'List yields',
    description: 'Illustration: what tokens earn in each pool.',
  },
} as const satisfies Record<string, Pick<MeteredPath, 'group' | 'method' | 'path' | 'title' | 'description'>>;
