import type { ErrorCode } from '@orange-id/contract/error.codes';

const advice = {
  'request.invalid': 'Check the parameters against the API reference.',
  'wallet.addressInvalid': 'Send 0x and 40 hexadecimal digits, in lower case or with a valid checksum.',
  'wallet.addressMissing': 'Add the address parameter, or connect a wallet in your profile.',
  'route.notFound': 'Check the path against the API reference.',
  'route.methodNotAllowed': 'Use the method listed for this endpoint in the API reference.',
  'key.replaced': 'A client still uses the old key. Replace it with the current one.',
  'key.deleted': 'A client still uses this deleted key. Switch it to an active key, or stop it.',
  'key.originRefused': 'If this site is yours, add it to the project’s allowed URLs.',
  'request.rateLimited': 'Send fewer calls per second, and wait for Retry-After before you try again.',
  'usage.quotaReached': 'Wait until 00:00 UTC, or make fewer calls.',
  'chain.unavailable': 'Wait for Retry-After, then send the call again.',
  'database.unavailable': 'Wait for Retry-After, then send the call again.',
  'server.busy': 'Wait for Retry-After, then send the call again.',
  'server.failed': 'Try again. If it keeps failing, report it with the request ID.',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** What to do about the error of a call, by its code: every error that a recorded call can end with. */
export const errorAdvice: Readonly<Record<string, string>> = advice;
