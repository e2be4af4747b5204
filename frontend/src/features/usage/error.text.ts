import { errorTable, type ErrorCode } from '@orange-id/contract/error.codes';
import type { UsageRow } from '@orange-id/contract/usage.schema';

const advice = {
  'request.invalid': 'Check the parameters against the API reference.',
  'wallet.addressInvalid':
    'Send 0x followed by 40 hexadecimal digits, in lower case or with a valid checksum.',
  'wallet.addressMissing': 'Add the address parameter, or connect a wallet on your profile.',
  'wallet.addressRequired':
    'Add the address parameter. Only a key from API Keys uses your own wallet by default, because other people use a project’s key too.',
  'wallet.projectRequired': 'Use the key of a project from My Projects.',
  'token.invalid': 'Send the address of an ERC-20 token’s contract on Ethereum mainnet.',
  'token.notFound':
    'Add the token with POST /api/v1/tokens, with a key of the same project. Tokens added with one project’s key aren’t visible to another’s.',
  'price.unavailable': 'Wait the number of seconds in the Retry-After header, then try again.',
  'auth.messageInvalid': 'Sign the text of GET /api/v1/wallet/message unchanged, within five minutes.',
  'auth.nonceInvalid': 'Get a new message from GET /api/v1/wallet/message for each attempt.',
  'auth.signatureInvalid': 'Let the wallet that the message names sign its text.',
  'auth.smartAccountsUnavailable':
    'Connect a wallet that signs with a key, or ask the operator to set ETH_RPC_URL.',
  'request.typeUnsupported': 'Send the body as JSON with Content-Type: application/json.',
  'request.tooLarge': 'Send a smaller body; the API reference says what it may contain.',
  'route.notFound': 'Check the path against the API reference.',
  'route.illustration':
    'Call one of the wallet or token endpoints: the DeFi endpoints are illustrations only.',
  'route.methodNotAllowed': 'Use the method listed for this endpoint in the API reference.',
  'key.replaced': 'A client still uses the old key. Give that client the key that replaced it.',
  'key.deleted': 'A client still uses this deleted key. Switch it to an active key, or stop it.',
  'key.expired': 'A client still uses this expired key. Set a later expiry, or give that client another key.',
  'key.originRefused': 'If this site is yours, add it to the project’s allowed URLs.',
  'request.rateLimited':
    'Wait the number of seconds in the Retry-After header, then send fewer calls per second.',
  'service.tooManyCalls':
    'Wait the number of seconds in the Retry-After header, then send fewer calls at once. Calls about the same address share one answer.',
  'usage.quotaReached': 'The quota resets at 00:00 UTC. To stay within it, make fewer calls per day.',
  'chain.unavailable':
    'Wait the number of seconds in the Retry-After header, then try again. If it keeps failing, report it under Support > Feedback.',
  'database.unavailable': 'Wait the number of seconds in the Retry-After header, then try again.',
  'server.busy': 'Wait the number of seconds in the Retry-After header, then try again.',
  'server.failed': 'Try again. If it keeps failing, report it under Support > Feedback with the call number.',
} as const satisfies Partial<Record<ErrorCode, string>>;

const ownersCauses: Partial<Record<ErrorCode, string>> = {
  'usage.quotaReached': 'Your daily quota was used up.',
  'wallet.addressMissing': 'Your account had no linked wallet.',
};

/**
 * Why a call failed, worded for the key's owner; the message for the caller speaks of 'the owner' instead. By default
 * the message's first sentence: the second says what to do, which the advice explains in full.
 */
export const errorCause = (code: ErrorCode): string =>
  ownersCauses[code] ?? `${errorTable[code].message.replace(/\..*/, '')}.`;

/** What to do about a call's error, by code, for every error that a recorded call can end with. */
export const errorAdvice: Readonly<Record<string, string>> = advice;

const outcomeSentences: Record<UsageRow['outcome'], string> = {
  ok: 'Succeeded',
  error: 'Failed',
  blocked: 'Blocked: the origin wasn’t allowed',
  limited: 'Rejected: too many calls per second',
  overQuota: 'Rejected: daily quota used up',
  revoked: 'Rejected: this key was replaced or deleted',
};

const outcomesByCode: Readonly<Record<string, string>> = {
  'key.replaced': 'Rejected: this key was replaced',
  'key.deleted': 'Rejected: this key was deleted',
  'key.expired': 'Rejected: this key has expired',
} satisfies Partial<Record<ErrorCode, string>>;

/** How a call ended, as a sentence. */
export function outcomeSentence({ outcome, errorCode }: Pick<UsageRow, 'outcome' | 'errorCode'>): string {
  return outcomesByCode[errorCode ?? ''] ?? outcomeSentences[outcome];
}
