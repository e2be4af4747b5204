import type { Outcome } from '@orange-id/contract/usage.schema';

/** One call to be stored in `api_usage`. */
export interface MeteredCall {
  userId: string;
  keyId: string;
  /** The project's public code. */
  projectId: string | null;
  /** The route template, or `unknownEndpoint`. */
  endpoint: string;
  method: string;
  statusCode: number;
  /** In ms, as a 32-bit float, the precision of the table column. */
  responseTime: number;
  /** Arrival time, in ms since the epoch. */
  at: number;
  origin: string | null;
  outcome: Outcome;
  /** The `code` of the response; `null` if it has none or `outcome` implies it. */
  errorCode: string | null;
  /** The requested path as `storedPath` returns it; `null` for an endpoint that exists. */
  path: string | null;
  /** Number of calls that the row represents. */
  calls: number;
}
