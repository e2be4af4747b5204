import { ErrorBody, errorBody, ErrorCode, errorTable } from '@orange-id/contract/error.codes';

/** An error of the contract. Throw it from services; the error filter turns it into the coded response. */
export class PortalError extends Error {
  override name = 'PortalError';
  readonly statusCode: number;

  constructor(
    readonly code: ErrorCode,
    options: {
      message?: string;
      details?: ErrorBody['details'];
      current?: unknown;
      cause?: unknown;
      retryAfterSeconds?: number;
    } = {},
  ) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.statusCode = errorTable[code].status;
    this.details = options.details;
    this.current = options.current;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.statusCode === 503 ? 1 : undefined);
  }

  readonly details: ErrorBody['details'] | undefined;
  readonly current: unknown;
  /** Sent as `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  get body(): ErrorBody {
    const body = errorBody(this.code, this.message, this.details);
    return this.current === undefined ? body : { ...body, current: this.current };
  }
}
