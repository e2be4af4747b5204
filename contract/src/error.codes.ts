import { limits } from './limits.js';

/**
 * Every refusal the backend knows: its HTTP status and its default English message. A screen words a refusal
 * itself, by `code`; the message is for people who read the wire.
 */
export const errorTable = {
  'request.invalid': { status: 400, message: 'The request is not valid' },
  'request.timedOut': { status: 408, message: 'The request took too long to arrive' },
  'request.tooLarge': { status: 413, message: 'The request is too large' },
  'request.typeUnsupported': { status: 415, message: 'The body must be JSON, sent as application/json' },
  'request.headersTooLarge': { status: 431, message: 'The headers of the request are too large' },
  'request.rateLimited': { status: 429, message: 'Too many requests, try again later' },
  'route.notFound': { status: 404, message: 'There is nothing at this address' },
  'route.methodNotAllowed': { status: 405, message: 'This address does not take this method' },
  'auth.required': { status: 401, message: 'Not authenticated' },
  'auth.tokenInvalid': { status: 401, message: 'The access token is not valid or has expired' },
  'auth.tokenForeign': { status: 401, message: 'The access token was made for another portal' },
  'auth.credentialsInvalid': { status: 401, message: 'E-mail or password is wrong' },
  'auth.emailTaken': { status: 409, message: 'An account with this e-mail already exists' },
  'auth.refreshInvalid': { status: 401, message: 'The refresh token is not valid or has expired' },
  'auth.nonceInvalid': { status: 401, message: 'The nonce is unknown, used or older than 5 minutes' },
  'auth.messageInvalid': { status: 401, message: 'The signed message is not one this service accepts' },
  'auth.signatureInvalid': { status: 401, message: 'The signature does not belong to the address' },
  'auth.smartAccountsUnavailable': {
    status: 401,
    message:
      "The signature is not of this address's key, and this portal does not support smart accounts: ETH_RPC_URL is not set",
  },
  'auth.tenantUnknown': { status: 401, message: 'The tenant is not the one of this portal' },
  'auth.redirectInvalid': { status: 400, message: 'The callback address is not registered' },
  'auth.providerUnknown': { status: 400, message: 'The provider must be google or apple' },
  'auth.passwordCommon': {
    status: 400,
    message: 'This password is too common. Choose one that is harder to guess',
  },
  'auth.passwordWrong': { status: 403, message: 'The current password is wrong' },
  'auth.proofRequired': {
    status: 403,
    message:
      'Confirm it is you first: sign in again, or POST /api/v1/auth/proof, in the browser session that asks. Proof is good for 5 minutes',
  },
  'auth.proofInvalid': { status: 403, message: 'This does not prove that the account is yours' },
  'auth.browserUnbound': {
    status: 403,
    message: 'This browser is not signed in to the account. Sign out, sign in again and try once more',
  },
  'auth.linkInvalid': {
    status: 410,
    message: 'This link was used already, has expired or is not whole. Ask for a new one',
  },
  'auth.accountChanged': {
    status: 409,
    message: 'The account has changed since this page was opened',
  },
  'auth.addressElsewhere': {
    status: 409,
    message:
      'You are signed in to another account that names this address. Sign out first if this one is yours, too',
  },
  'auth.mailNotConfigured': { status: 501, message: 'This portal cannot send e-mail: SMTP_URL is not set' },
  'auth.flowInvalid': {
    status: 400,
    message: 'This sign-in was not started in this browser, was finished already or took too long',
  },
  'auth.flowCancelled': { status: 400, message: 'The sign-in was cancelled at the provider' },
  'auth.linkOtherAccount': {
    status: 403,
    message: 'This browser is not signed in to the account that the link is for, so nothing was linked',
  },
  'auth.providerFailed': { status: 502, message: 'The provider did not confirm the sign-in' },
  'auth.walletUsed': { status: 409, message: 'Wallet already used' },
  'auth.socialUsed': { status: 409, message: 'This account is linked to another user already' },
  'auth.methodLinked': { status: 409, message: 'Your account has this sign-in method already' },
  'auth.lastMethod': {
    status: 409,
    message: 'This is your only way to sign in. Add another one before you remove it',
  },
  'auth.methodsLimitReached': {
    status: 409,
    message: `You have ${limits.signInMethodsPerUser} sign-in methods, which is the most. Remove one to make room`,
  },
  'auth.methodNotFound': { status: 404, message: 'Your account has no such sign-in method' },
  'auth.sessionNotFound': { status: 404, message: 'This sign-in has ended already' },
  'identity.unavailable': { status: 503, message: 'The identity service cannot be reached, try again later' },
  'auth.providerNotConfigured': {
    status: 501,
    message: 'This sign-in method is not available on this portal',
  },
  'profile.emailTaken': { status: 409, message: 'Another account uses this email' },
  'profile.userNameTaken': { status: 409, message: 'Another account uses this username' },
  'profile.pictureTooLarge': { status: 413, message: 'The picture must be smaller than 1 MB' },
  'profile.pictureInvalid': {
    status: 415,
    message: 'This file isn’t a supported image. Choose a JPEG, PNG, WebP, GIF or AVIF',
  },
  'profile.refused': { status: 403, message: 'The profile service does not let you change this profile' },
  'profile.unavailable': { status: 503, message: 'The profile service cannot be reached, try again later' },
  'project.nameTaken': { status: 400, message: 'A project with this name already exists' },
  'project.nameInvalid': { status: 400, message: 'The project name is not valid' },
  'project.urlInvalid': { status: 400, message: 'A whitelist URL is not valid' },
  'project.urlDuplicate': { status: 409, message: 'This URL is already whitelisted for this project' },
  'project.urlNotFound': { status: 404, message: 'This URL is not in the whitelist of the project' },
  'project.lastUrl': {
    status: 409,
    message: 'This is the only URL of the project. Add another one before you remove it',
  },
  'project.urlsLimitReached': {
    status: 409,
    message: `A project has at most ${limits.whitelistUrlsPerProject} URLs. Remove one to make room`,
  },
  'project.refused': { status: 409, message: 'The project service refused this' },
  'project.unavailable': { status: 503, message: 'The project service cannot be reached, try again later' },
  'project.limitReached': {
    status: 409,
    message: `You have ${limits.projectsPerUser} projects, which is the most. Delete one to make room`,
  },
  'project.notFound': { status: 404, message: 'Project not found' },
  'keys.limitReached': {
    status: 409,
    message: `You have ${limits.savedKeysPerUser} saved keys, which is the most. Delete one to make room`,
  },
  'keys.notFound': { status: 404, message: 'API key not found' },
  'key.missing': { status: 401, message: 'API key is required' },
  'key.invalid': { status: 401, message: 'Invalid API key' },
  'key.replaced': { status: 401, message: 'Invalid API key: it was replaced by a newer one' },
  'key.deleted': { status: 401, message: 'Invalid API key: it was deleted' },
  'key.originRefused': { status: 403, message: 'This origin is not in the whitelist of the project' },
  'wallet.addressInvalid': { status: 400, message: 'Address is invalid.' },
  'wallet.addressMissing': {
    status: 400,
    message: 'No address was given and the owner of this key has no linked wallet',
  },
  'chain.unavailable': { status: 503, message: 'The chain could not be reached, try again later' },
  'usage.tooManyCalls': {
    status: 422,
    message: 'There are too many calls in this range to be searched in time. Choose a shorter range',
  },
  'usage.tooManyQuestions': {
    status: 429,
    message: 'Too many usage questions are open at once, try again in a moment',
  },
  'usage.quotaReached': {
    status: 429,
    message: "The owner of this key has used up today's calls. They start again at 00:00 UTC",
  },
  'usage.exportGone': {
    status: 410,
    message: `This download was used already, is older than ${limits.exportAddressMs / 1000} s, or was asked for in another browser. Export again`,
  },
  'usage.exportsWaiting': {
    status: 429,
    message: `You have ${limits.exportAddressesPerUser} exports that were not fetched yet. Wait a minute and try again`,
  },
  'live.tooManyConnections': {
    status: 429,
    message: `You have ${limits.socketsPerUser} live connections open, which is the most. Close a tab that shows this portal`,
  },
  'usage.notRecorded': {
    status: 503,
    message: 'The call could not be recorded, so it was not answered. Try again later',
  },
  'usage.outcomeUnknown': {
    status: 503,
    message: 'The call was not confirmed as recorded in time. It may or may not be counted',
  },
  'database.unavailable': { status: 503, message: 'The database is not reachable, try again later' },
  'database.busy': {
    status: 503,
    message: 'Another change of the same data is still under way, try again in a moment',
  },
  'server.busy': { status: 503, message: 'Too much is asked at once, try again in a moment' },
  'server.failed': { status: 500, message: 'Something failed on the server' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** The body of every error answer: Nest's shape plus `code`; `details` names the offending fields. */
export interface ErrorBody {
  statusCode: number;
  message: string;
  error: string;
  code: ErrorCode;
  /** By field: what is allowed there and, shortened, what was given, unless nothing was or it is a secret. */
  details?: { path: string; message: string; given?: string }[];
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** Builds the answer body of one coded error; `message` replaces the table's when the case can say more. */
export function errorBody(code: ErrorCode, message?: string, details?: ErrorBody['details']): ErrorBody {
  const row = errorTable[code];
  return {
    statusCode: row.status,
    message: message ?? row.message,
    error: reasons[row.status] ?? 'Error',
    code,
    ...(details ? { details } : {}),
  };
}
