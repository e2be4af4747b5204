/** The header that carries an API key. */
export const apiKeyHeader = 'x-api-key';

export interface MeteredParameter {
  name: string;
  description: string;
  required: boolean;
  example: string;
}

/** A metered route without the schema of its response, so that pages that only show calls load no schemas. */
export interface MeteredPath {
  method: 'GET' | 'POST';
  /** The template, as stored in usage rows. */
  path: `/api/v1/${string}`;
  title: string;
  description: string;
  parameters: readonly MeteredParameter[];
  samples: readonly { statusCode: number; body: unknown }[];
}

const sampleAddress = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const invalidKeySample = {
  statusCode: 401,
  body: { statusCode: 401, message: 'Invalid API key', error: 'Unauthorized', code: 'key.invalid' },
};

/** The calls of `meteredRoutes`. */
export const meteredPaths = {
  walletBalance: {
    method: 'GET',
    path: '/api/v1/wallet/balance',
    title: 'Get wallet balance',
    description: 'The balance of an Ethereum address, read from the chain.',
    parameters: [
      {
        name: 'address',
        description: 'An Ethereum address. Defaults to the linked wallet of the key’s owner.',
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
  key: {
    method: 'GET',
    path: '/api/v1/key',
    title: 'Get this key',
    description:
      'The project, name and prefix of the key in the header. Needs no parameters, so it’s a good first call.',
    parameters: [],
    samples: [
      {
        statusCode: 200,
        body: { project: { code: 'orange-k3x9p2m7qa', name: 'Acme' }, name: 'Acme', prefix: 'oid_4fGh' },
      },
      invalidKeySample,
    ],
  },
} as const satisfies Record<string, MeteredPath>;

/** A `curl` command for a POSIX shell. The URL comes last, because it may be long and wraps separately. */
export function curlFor(
  route: MeteredPath,
  call: { baseUrl: string; apiKey: string; parameters?: Record<string, string> },
): string {
  const method = route.method === 'GET' ? '' : ` -X ${route.method}`;
  return `curl${method} -H ${quote(`X-API-Key: ${call.apiKey}`)} \\\n  ${quote(urlFor(route, call))}`;
}

/** The URL of a call with its query parameters. */
export function urlFor(
  route: MeteredPath,
  call: { baseUrl: string; parameters?: Record<string, string> },
): string {
  const url = new URL(route.path, call.baseUrl);
  for (const [name, value] of Object.entries(call.parameters ?? {})) {
    if (value !== '') url.searchParams.set(name, value);
  }
  return url.href;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
