import type { Outcome } from '@orange-id/contract/usage.schema';

/** One call on its way into `api_usage`. */
export interface MeteredCall {
  userId: string;
  keyId: string;
  /** The project's public code. */
  projectId: string | null;
  /** The route's template, or `unknownEndpoint`. */
  endpoint: string;
  method: string;
  statusCode: number;
  /** In ms, as a 32-bit float, which is what the table holds. */
  responseTime: number;
  /** When it came, in ms since the epoch. */
  at: number;
  origin: string | null;
  outcome: Outcome;
  /** The `code` of the answer; `null` where it had none or `outcome` says it. */
  errorCode: string | null;
  /** What was asked for, as `storedPath` keeps it; `null` for an endpoint that exists. */
  path: string | null;
  /** How many calls the row stands for. */
  calls: number;
}
