import { limits } from './limits.js';
import { waitInWords } from './wait.text.js';

/**
 * Every error the backend returns: its HTTP status and its default message. Screens choose their own words by `code`;
 * the message is for developers who read the response.
 */
export const errorTable = {
  'request.invalid': { status: 400, message: 'The request isn’t valid' },
  'request.timedOut': { status: 408, message: 'The request took too long to arrive. Try again' },
  'request.tooLarge': { status: 413, message: 'The request body is too large. Send a smaller one' },
  'request.typeUnsupported': {
    status: 415,
    message: 'Send the body as JSON with Content-Type: application/json',
  },
  'request.headersTooLarge': {
    status: 431,
    message: 'The request headers are too large. Send fewer or shorter headers and cookies',
  },
  'request.rateLimited': { status: 429, message: 'Too many requests. Try again later' },
  'service.tooManyCalls': {
    status: 429,
    message: 'Too many calls wait for a service outside the portal. Try again in a moment',
  },
  'route.notFound': { status: 404, message: 'This endpoint doesn’t exist. Check the path' },
  'route.illustration': {
    status: 404,
    message:
      'This endpoint is an illustration in the documentation and can’t be called. Call one of the wallet or token endpoints',
  },
  'route.methodNotAllowed': {
    status: 405,
    message: 'This endpoint doesn’t support this method. Use one listed in the Allow header',
  },
  'account.deleted': {
    status: 403,
    message: 'This account is deleted. To keep it, sign in to the portal again',
  },
  'account.disabled': {
    status: 403,
    message:
      'The administrators of this portal have disabled this account. If you think that this is a mistake, write to them',
  },
  'account.archiveMissing': { status: 404, message: 'No archive of your data is ready. Ask for one first' },
  'account.notDeleted': { status: 409, message: 'This account isn’t deleted. Sign in as usual' },
  'auth.required': { status: 401, message: 'Not authenticated' },
  'auth.tokenInvalid': {
    status: 401,
    message: 'The access token isn’t valid or has expired. Refresh it or sign in again',
  },
  'auth.tokenForeign': {
    status: 401,
    message: 'The access token was issued for another portal. Sign in to this one',
  },
  'auth.credentialsInvalid': { status: 401, message: 'The email or password is wrong' },
  'auth.emailTaken': {
    status: 409,
    message: 'Another account already uses this email. Use a different one, or sign in to that account',
  },
  'auth.refreshInvalid': {
    status: 401,
    message: 'The refresh token isn’t valid or has expired. Sign in again',
  },
  'auth.nonceInvalid': {
    status: 401,
    message: `The nonce is unknown, already used or older than ${waitInWords(limits.siweNonceMs / 1000)}. Request a new one`,
  },
  'auth.messageInvalid': { status: 401, message: 'The signed message isn’t one this portal accepts' },
  'auth.signatureInvalid': {
    status: 401,
    message: 'The signature doesn’t match the address. Sign the message again with that wallet',
  },
  'auth.smartAccountsUnavailable': {
    status: 401,
    message:
      'The signature doesn’t match the address, and this portal can’t check smart accounts: ETH_RPC_URL isn’t set',
  },
  'auth.tenantUnknown': {
    status: 401,
    message: 'No project has this tenantId. Copy the project ID from My Projects',
  },
  'auth.tenantConflict': {
    status: 401,
    message: 'tenantId and subscriptionKey name different projects. Set both to your project ID',
  },
  'auth.tenantRequired': {
    status: 400,
    message: 'The request names no project. Set subscriptionKey and tenantId to your project ID',
  },
  'auth.originNotAllowed': {
    status: 403,
    message: 'Sign-in isn’t allowed on this site. Add its URL to the project in My Projects',
  },
  'auth.appNotFound': {
    status: 404,
    message: 'You’re not connected to this app. Reload the list of connected apps',
  },
  'auth.redirectInvalid': {
    status: 400,
    message: 'The callback URL isn’t registered with this portal. Ask its operator to add it',
  },
  'auth.providerUnknown': { status: 400, message: 'The provider must be google or apple' },
  'auth.passwordCommon': {
    status: 400,
    message: 'This password is too common. Choose one that is harder to guess',
  },
  'auth.passwordWrong': { status: 403, message: 'The current password is wrong' },
  'auth.proofRequired': {
    status: 403,
    message: `Confirm it’s you first: sign in again or call POST /api/v1/auth/proof in the same browser session. A confirmation is valid for ${waitInWords(limits.freshProofSeconds)}`,
  },
  'auth.proofInvalid': {
    status: 403,
    message: 'This sign-in doesn’t confirm that the account is yours. Confirm with a method linked to it',
  },
  'auth.browserUnbound': {
    status: 403,
    message: 'This browser isn’t signed in to your account. Sign out and sign in again, then retry',
  },
  'auth.linkInvalid': {
    status: 410,
    message: 'This link has expired, was already used or is incomplete. Request a new one',
  },
  'auth.linkOutdated': {
    status: 410,
    message: 'The account no longer uses the email that this link was sent to. Nothing was changed',
  },
  'auth.accountChanged': {
    status: 409,
    message:
      'The account has changed since this page was opened. Check its sign-in methods, then confirm again',
  },
  'auth.emailOnOtherAccount': {
    status: 409,
    message:
      'You’re signed in to another account that uses this email. If both accounts are yours, sign out and open the link again',
  },
  'auth.mailNotConfigured': { status: 501, message: 'This portal can’t send email: SMTP_URL isn’t set' },
  'auth.flowInvalid': {
    status: 400,
    message: 'This sign-in started in another browser, was already finished or took too long. Start again',
  },
  'auth.flowCancelled': { status: 400, message: 'The sign-in was cancelled at the provider. Start again' },
  'auth.linkOtherAccount': {
    status: 403,
    message:
      'This browser isn’t signed in to the account this link is for, so nothing was connected. Sign in to it and start again',
  },
  'auth.providerFailed': {
    status: 502,
    message: 'The provider didn’t confirm the sign-in. Try again in a minute',
  },
  'auth.walletUsed': {
    status: 409,
    message:
      'This wallet is already linked to another account. Use a different one, or sign in to that account',
  },
  'auth.socialUsed': {
    status: 409,
    message: 'The account you chose is already linked to another Orange ID account',
  },
  'auth.methodLinked': { status: 409, message: 'Your account already has this sign-in method' },
  'auth.lastMethod': {
    status: 409,
    message: 'This is your only sign-in method. Add another one before you remove it',
  },
  'auth.methodsLimitReached': {
    status: 409,
    message: `You have ${limits.signInMethodsPerUser} sign-in methods, the maximum. Remove one to add another`,
  },
  'auth.methodNotFound': { status: 404, message: 'Your account doesn’t have this sign-in method' },
  'auth.sessionNotFound': { status: 404, message: 'This session has already ended' },
  'identity.unavailable': { status: 503, message: 'The identity service can’t be reached. Try again later' },
  'auth.providerNotConfigured': {
    status: 501,
    message: 'This sign-in method isn’t available on this portal',
  },
  'profile.emailTaken': { status: 409, message: 'Another account uses this email. Enter a different one' },
  'profile.userNameTaken': {
    status: 409,
    message: 'Another account uses this username. Choose a different one',
  },
  'profile.pictureTooLarge': { status: 413, message: 'The image must be smaller than 1 MB' },
  'profile.pictureInvalid': {
    status: 415,
    message: 'This file isn’t a supported image. Choose a JPG, PNG, WebP, GIF or AVIF',
  },
  'profile.refused': {
    status: 403,
    message:
      'The profile service didn’t allow this change. Reload and try again, or contact the portal’s operator',
  },
  'profile.unavailable': { status: 503, message: 'The profile service can’t be reached. Try again later' },
  'project.nameTaken': {
    status: 400,
    message: 'A project with this name already exists. Choose a different name',
  },
  'project.renamedOften': {
    status: 409,
    message: `A project can be renamed at most ${limits.renamingsPerProject} times in ${limits.formerNameDays} days. Try again later`,
  },
  'project.nameInvalid': { status: 400, message: 'The project name isn’t valid' },
  'project.urlInvalid': { status: 400, message: 'An allowed URL isn’t valid' },
  'project.urlDuplicate': { status: 409, message: 'This URL is already whitelisted for this project' },
  'project.urlNotFound': { status: 404, message: 'This URL isn’t one of the project’s allowed URLs' },
  'project.lastUrl': {
    status: 409,
    message: 'This is the project’s only allowed URL. Add another one before you remove it',
  },
  'project.urlsLimitReached': {
    status: 409,
    message: `A project can have at most ${limits.whitelistUrlsPerProject} allowed URLs. Remove one to add another`,
  },
  'appearance.changed': {
    status: 409,
    message: 'The look was saved elsewhere since you opened it. Load the newest version and compare',
  },
  'appearance.pictureUnknown': {
    status: 400,
    message: 'A picture of this look was not uploaded for this project. Upload it again',
  },
  'appearance.picturesLimitReached': {
    status: 409,
    message: `A project can have at most ${limits.picturesPerProject} pictures, and an account ${limits.picturesPerOwner}. Those that no saved look shows are deleted after a day`,
  },
  'project.refused': {
    status: 409,
    message:
      'The project service rejected the request. Reload and try again, or contact the portal’s operator',
  },
  'project.originInvalid': {
    status: 400,
    message: 'An origin isn’t valid. Only browser extensions and null can be allowed beside URLs',
  },
  'project.unavailable': { status: 503, message: 'The project service can’t be reached. Try again later' },
  'project.limitReached': {
    status: 409,
    message: `You have ${limits.projectsPerUser} projects, the maximum. Delete one in the browser you created it in, then try again`,
  },
  'project.notFound': { status: 404, message: 'Project not found' },
  'keys.limitReached': {
    status: 409,
    message: `You have ${limits.savedKeysPerUser} API keys, the maximum. Delete one to create another`,
  },
  'keys.notFound': { status: 404, message: 'API key not found' },
  'keys.replaced': {
    status: 409,
    message: 'This API key has already been replaced. Reload the list and use the key that replaced it',
  },
  'keys.overlapping': {
    status: 409,
    message: 'The key that this one replaced still works. End it before you rotate this one',
  },
  'keys.projectNeedsKey': {
    status: 409,
    message: 'A project can’t be without a key. Rotate this key or replace it instead',
  },
  'game.notFound': {
    status: 404,
    message: 'The project has no such game. Add it in My Projects, or copy its ID from there',
  },
  'game.projectRequired': {
    status: 400,
    message: 'This key belongs to no project, and games belong to projects. Call with a project’s key',
  },
  'game.playerRequired': {
    status: 401,
    message:
      'The call needs the access token of a player who is signed in to this project. Send it as Authorization: Bearer …',
  },
  'game.dataChanged': {
    status: 409,
    message: 'The data was saved elsewhere in the meantime. Merge it with current and save again',
  },
  'game.playerFull': {
    status: 403,
    message: `This player has data in ${limits.gamesPerPlayer} games, the maximum. Games that have data of the player can still save`,
  },
  'game.tooMany': {
    status: 409,
    message: `A project can have at most ${limits.gamesPerProject} games. Delete one first`,
  },
  'game.nameTaken': {
    status: 409,
    message: 'The project already has a game of this name. Choose another name',
  },
  'game.nameInvalid': {
    status: 400,
    message: `Enter a name of at most ${limits.gameNameMaxCharacters} characters, without invisible ones`,
  },
  'forum.postNotFound': { status: 404, message: 'Post not found' },
  'forum.replyNotFound': { status: 404, message: 'Reply not found' },
  'forum.reportNotFound': { status: 404, message: 'Report not found' },
  'forum.nameRequired': {
    status: 403,
    message: 'Add a display name to your profile before you write in the community',
  },
  'forum.locked': {
    status: 409,
    message: 'An administrator locked this post. It takes no replies or changes',
  },
  'forum.changedElsewhere': {
    status: 409,
    message: 'This was changed in another tab or browser since you opened it',
  },
  'forum.tooManyLinks': {
    status: 400,
    message: `Your first ${limits.forumNewcomerPosts} posts and replies may have ${limits.forumNewcomerLinks} links each. Remove some`,
  },
  'forum.full': {
    status: 409,
    message: `Your posts and replies have ${limits.forumBytesPerUser / 1e6} MB, the maximum. Delete some of them to write more`,
  },
  'forum.administratorRequired': { status: 403, message: 'Only administrators of this portal may do this' },
  'key.missing': { status: 401, message: 'API key is required' },
  'key.invalid': { status: 401, message: 'Invalid API key' },
  'key.replaced': {
    status: 401,
    message: 'Invalid API key: it was replaced by a newer one. Use the newer one',
  },
  'key.deleted': { status: 401, message: 'Invalid API key: it was deleted. Use another one' },
  'key.expired': {
    status: 401,
    message: 'Invalid API key: it has expired. Use another one, or ask its owner for a later expiry',
  },
  'key.originRefused': {
    status: 403,
    message: 'This project doesn’t allow calls from this origin. Add the origin to its allowed URLs',
  },
  'wallet.addressInvalid': { status: 400, message: 'Address is invalid.' },
  'wallet.addressMissing': {
    status: 400,
    message: 'The owner of this key has no linked wallet. Add the address parameter',
  },
  'wallet.addressRequired': {
    status: 400,
    message:
      'A call with a project’s key must name an address. Add the address parameter, or use a key that belongs to no project to read its owner’s wallet',
  },
  'wallet.projectRequired': {
    status: 400,
    message:
      'Wallets are connected to a project, and this key belongs to none. Use the key of the project in My Projects',
  },
  'token.invalid': {
    status: 400,
    message: 'This isn’t a token. Send the address of an ERC-20 token’s contract',
  },
  'token.notFound': {
    status: 404,
    message:
      'This token is neither on the portal’s list nor among those you added. Add it with POST /api/v1/tokens',
  },
  'price.unavailable': {
    status: 503,
    message: 'The token’s price feed has no current price. Try again later',
  },
  'chain.unavailable': { status: 503, message: 'The Ethereum node can’t be reached. Try again later' },
  'usage.tooManyCalls': {
    status: 422,
    message: 'This range has too many calls to search. Choose a shorter one',
  },
  'usage.tooManyQueries': {
    status: 429,
    message: 'Too many usage requests at once. Try again in a moment',
  },
  'usage.historyAway': {
    status: 503,
    message: 'Older calls can’t be read at the moment. None is lost. Try again in a few minutes',
  },
  'usage.quotaReached': {
    status: 429,
    message: 'The daily quota of this key’s owner is used up. It resets at 00:00 UTC',
  },
  'usage.exportGone': {
    status: 410,
    message: `This download was already used, is older than ${waitInWords(limits.exportAddressMs / 1000)} or was started in another browser. Export again`,
  },
  'usage.exportsWaiting': {
    status: 429,
    message: `You have ${limits.exportAddressesPerUser} exports waiting, the maximum. Try again in a minute`,
  },
  'usage.downloadsRunning': {
    status: 429,
    message: `You have ${limits.exportDownloadsPerUser} exports downloading, the maximum. Wait until one ends, then export again`,
  },
  'usage.downloadsBusy': {
    status: 429,
    message: 'Too many exports are being downloaded. Try again in a minute',
  },
  'live.tooManyConnections': {
    status: 429,
    message: `You have ${limits.socketsPerUser} live connections, the maximum. Close a tab that shows this portal`,
  },
  'usage.notRecorded': {
    status: 503,
    message: 'The call couldn’t be recorded, so its result wasn’t returned. Try again later',
  },
  'usage.outcomeUnknown': {
    status: 503,
    message:
      'Recording the call timed out, so its result wasn’t returned. It may still be counted. Try again',
  },
  'portal.stopping': {
    status: 503,
    message: 'This instance of the portal is stopping. Send new requests to another one',
  },
  'database.unavailable': { status: 503, message: 'The database can’t be reached. Try again later' },
  'database.busy': {
    status: 503,
    message: 'Another change to the same data is in progress. Try again in a moment',
  },
  'server.busy': { status: 503, message: 'The server is busy. Try again in a moment' },
  'server.failed': { status: 500, message: 'Something went wrong on the server. Try again later' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** The body of every error response: Nest's shape plus `code`; `details` names the offending fields. */
export interface ErrorBody {
  statusCode: number;
  message: string;
  error: string;
  code: ErrorCode;
  /** By field: what is allowed and, shortened, the value received, unless it is missing or secret. */
  details?: { path: string; message: string; given?: string }[];
  /** What a change that came too late has to start from. */
  current?: unknown;
  /** The id of the request, also in its `X-Request-Id` header and in the log. */
  requestId?: string;
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

/** Builds the body of a coded error; `message` replaces the table's with a more specific one. */
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
