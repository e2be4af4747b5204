/**
 * The requests and responses of the public identity client (npm `@bedrock_org/passport` 2.0.0), written by hand from
 * its behaviour and independent of the portal's code: a schema that drifts from the client cannot change them. Words in
 * angle brackets are placeholders.
 */
export interface WireCall {
  method: 'GET' | 'POST';
  /** As in the client's address bar or request, character by character. */
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** The status and, field by field, the type of the response. A list of types allows each of them. */
  answer: { status: number | readonly number[]; fields?: Fields; location?: RegExp };
}
export type Kind = 'string' | 'number' | 'boolean' | 'null';
export interface Fields {
  [name: string]: Kind | readonly Kind[] | Fields | readonly [];
}

const subscription = { 'Ocp-Apim-Subscription-Key': 'DEMO_BEDROCK_PASSPORT_KEY' };
const json = { Accept: 'application/json, text/plain, */*' };
/** The client's interceptor sends its token; a signed-out client has none and sends this header. */
const signedOut = { ...json, ...subscription, Authorization: 'Bearer undefined' };
const signedIn = { ...json, ...subscription, Authorization: 'Bearer <accessToken>' };
const withBody = { 'Content-Type': 'application/json' };

const login: Fields = {
  user: { id: 'string' },
  token: { accessToken: 'string', refreshToken: 'string' },
};

const text: readonly Kind[] = ['string', 'null'];

/** The fields seen on the wire, and the two other names the product reads (first name, picture). */
const user: Fields = {
  id: 'string',
  email: text,
  name: text,
  displayName: text,
  firstName: text,
  userName: text,
  bio: text,
  country: text,
  role: ['string', 'number', 'null'],
  picture: text,
  photoUrl: text,
  profilePicture: text,
  ethAddress: text,
  waxAddress: text,
  provider: 'string',
  emailVerified: 'boolean',
  createdAt: 'string',
  updatedAt: 'string',
};

/** The message as JSON of the client's siwe library; it has no expiry. */
const message = {
  domain: '<domain>',
  address: '<address>',
  statement: 'Sign in to Bedrock Passport',
  uri: '<origin>',
  version: '1',
  nonce: '<nonce>',
  chainId: 1,
  issuedAt: '<issuedAt>',
};

export const wireCalls = {
  version: {
    method: 'GET',
    path: '/api/v1/settings/version',
    headers: subscription,
    answer: {
      status: 200,
      fields: {
        cdnUrl: 'string',
        cssUrl: 'string',
        currentVersion: 'string',
        betaCdnUrl: 'string',
        betaCssUrl: 'string',
        betaVersion: 'string',
      },
    },
  },
  widget: {
    method: 'GET',
    path: '/api/v1/auth/widget',
    headers: signedOut,
    answer: { status: 200, fields: { text: 'string', url: 'string' } },
  },
  register: {
    method: 'POST',
    path: '/api/v1/auth/email/register',
    headers: { ...signedOut, ...withBody },
    body: { email: '<email>', password: '<password>', passwordConfirm: '<password>' },
    answer: { status: [200, 201], fields: login },
  },
  login: {
    method: 'POST',
    path: '/api/v1/auth/email/login',
    headers: { ...signedOut, ...withBody },
    body: { email: '<email>', password: '<password>' },
    answer: { status: [200, 201], fields: login },
  },
  reset: {
    method: 'POST',
    path: '/api/v1/auth/email/reset',
    headers: { ...signedOut, ...withBody },
    body: { email: '<email>' },
    answer: { status: [200, 201], fields: { code: 'number', status: 'string' } },
  },
  password: {
    method: 'POST',
    path: '/api/v1/auth/email/password',
    headers: { ...signedOut, ...withBody },
    body: { password: '<newPassword>', passwordConfirm: '<newPassword>', token: '<linkToken>' },
    answer: { status: [200, 201], fields: login },
  },
  nonce: {
    method: 'GET',
    path: '/api/v1/message/nonce',
    headers: signedOut,
    // The published panel reads `nonce` only; `now` is ours.
    answer: { status: 200, fields: { nonce: 'string', now: 'string' } },
  },
  verify: {
    method: 'POST',
    path: '/api/v1/message/verify',
    headers: { ...signedOut, ...withBody },
    body: { message, signature: '<signature>', tenantId: '<tenantId>' },
    answer: { status: [200, 201], fields: login },
  },
  linkWallet: {
    method: 'POST',
    path: '/api/v1/auth/identifier/wallet',
    headers: { ...signedIn, ...withBody },
    body: { message, signature: '<signature>' },
    answer: { status: [200, 201], fields: login },
  },
  google: {
    method: 'GET',
    path: '/api/v1/auth/GOOGLE?state=<callback>&tenantId=<tenantId>&subscription-key=DEMO_BEDROCK_PASSPORT_KEY',
    headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    answer: { status: [302, 303], location: /^https?:\/\// },
  },
  apple: {
    method: 'GET',
    path: '/api/v1/auth/APPLE?state=<callback>&tenantId=<tenantId>&subscription-key=DEMO_BEDROCK_PASSPORT_KEY',
    headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    answer: { status: [302, 303], location: /^https?:\/\// },
  },
  user: {
    method: 'GET',
    path: '/api/v1/auth/user',
    headers: signedIn,
    answer: { status: 200, fields: user },
  },
  currency: {
    method: 'POST',
    path: '/api/v1/economy/currency',
    headers: { ...signedIn, ...withBody },
    body: { titleId: '<tenantId>', count: 10, inventory: 'default' },
    answer: { status: [200, 201], fields: { Items: [] } },
  },
  refresh: {
    method: 'POST',
    path: '/api/v1/auth/refresh',
    // Sent past the interceptor: no subscription key and no bearer token.
    headers: { ...json, ...withBody },
    body: { refreshToken: '<refreshToken>', provider: '<provider>' },
    answer: { status: [200, 201], fields: { accessToken: 'string' } },
  },
  logout: {
    method: 'POST',
    path: '/api/v1/auth/logout',
    headers: signedIn,
    answer: { status: [200, 201, 202, 204] },
  },
} as const satisfies Record<string, WireCall>;

/** A user as a hosted service returned it, with additional fields that the portal does not use. */
export const hostedUser = {
  id: '5f3c2b1a-0000-4000-8000-1234567890ab',
  email: 'grace@example.com',
  name: 'Grace H.',
  displayName: 'Grace',
  userName: 'grace',
  bio: 'Finds bugs.',
  country: 'United States',
  role: 1,
  picture: 'https://cdn.example.com/grace.png',
  photoUrl: 'https://cdn.example.com/grace.png',
  ethAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  waxAddress: null,
  provider: 'GOOGLE',
  emailVerified: true,
  playfabId: 'A1B2C3',
  newsletter: false,
  lastLogin: '2025-01-02T03:04:05.000Z',
  createdAt: '2024-01-02T03:04:05.000Z',
  updatedAt: '2025-01-02T03:04:05.000Z',
};
