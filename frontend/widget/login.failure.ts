import type { ErrorCode } from '@orange-id/contract/error.codes';
import { isRecord } from './is.record';

/** Why a sign-in failed; the panel has its own text for each code. */
export type LoginFailureCode =
  | 'credentialsInvalid'
  | 'emailTaken'
  | 'mailMissing'
  | 'sessionEnded'
  | 'methodLinked'
  | 'methodsFull'
  | 'walletUsed'
  | 'passwordWrong'
  | 'proofRequired'
  | 'proofInvalid'
  | 'browserUnbound'
  | 'fieldsInvalid'
  | 'rateLimited'
  | 'unreachable'
  | 'serviceRefused'
  | 'answerUnreadable'
  | 'requestExpired'
  | 'walletRejected'
  | 'walletBusy'
  | 'walletMissing'
  | 'walletFailed'
  | 'pairingFailed'
  | 'pairingExpired'
  | 'unexpected';

/**
 * One failed attempt: its code, the service's message if it sent one, and the seconds until the next try is allowed.
 */
export interface LoginFailure {
  code: LoginFailureCode;
  status?: number;
  message?: string;
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
}

/** The error that the login machine's actors throw. */
export class LoginError extends Error {
  constructor(
    readonly failure: LoginFailure,
    options?: ErrorOptions,
  ) {
    super(failure.message ?? failure.code, options);
    this.name = 'LoginError';
  }
}

/** The failure for an actor's error; any error other than `LoginError` is a defect of this widget. */
export const toLoginFailure = (error: unknown): LoginFailure =>
  error instanceof LoginError ? error.failure : { code: 'unexpected' };

const codes: Partial<Record<ErrorCode, LoginFailureCode>> = {
  'auth.credentialsInvalid': 'credentialsInvalid',
  'auth.emailTaken': 'emailTaken',
  'auth.mailNotConfigured': 'mailMissing',
  'auth.required': 'sessionEnded',
  'auth.tokenInvalid': 'sessionEnded',
  'auth.nonceInvalid': 'requestExpired',
  'auth.methodLinked': 'methodLinked',
  'auth.methodsLimitReached': 'methodsFull',
  'auth.walletUsed': 'walletUsed',
  'auth.passwordWrong': 'passwordWrong',
  'auth.proofRequired': 'proofRequired',
  'auth.proofInvalid': 'proofInvalid',
  'auth.browserUnbound': 'browserUnbound',
  'request.rateLimited': 'rateLimited',
};

/** Reads `details` of an error body (`{ path, message }[]`) as one message per field; the first one counts. */
function readFields(details: unknown): Record<string, string> | undefined {
  if (!Array.isArray(details)) return undefined;
  const fields: Record<string, string> = {};
  for (const detail of details) {
    if (!isRecord(detail) || typeof detail.path !== 'string' || typeof detail.message !== 'string') continue;
    fields[detail.path] ??= detail.message;
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** `Retry-After` in seconds, from either of its forms (RFC 9110 §10.2.3); `nowMs` in ms since the epoch. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - nowMs) / 1000);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
}

/**
 * The failure for an error response of the identity service. `body` is the parsed error JSON (`ErrorBody`), or anything
 * else if a proxy in between responded.
 */
export function refusalOf(status: number, body: unknown, retryAfterSeconds?: number): LoginFailure {
  const answer = isRecord(body) ? body : {};
  const message = typeof answer.message === 'string' ? answer.message : undefined;
  const fields = readFields(answer.details);
  const known = codes[answer.code as ErrorCode];
  if (known === 'rateLimited' || status === 429) {
    return { code: 'rateLimited', status, message, retryAfterSeconds };
  }
  if (known) return { code: known, status, message };
  if (status === 400 && fields) return { code: 'fieldsInvalid', status, message, fields };
  return {
    code: 'serviceRefused',
    status,
    message: message ?? `It returned status ${status}. Try again in a minute.`,
  };
}
