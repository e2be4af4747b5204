import type { Outcome } from '@orange-id/contract/usage.schema';

/** One call on its way into `api_usage`. */
export interface MeteredCall {
  userId: string;
  keyId: string;
  /** The project's public code. */
  projectId: string | null;
  /** The route's template. */
  endpoint: string;
  method: string;
  statusCode: number;
  /** In ms, as a 32-bit float, which is what the table holds. */
  responseTime: number;
  /** When it came, in ms since the epoch. */
  at: number;
  origin: string | null;
  outcome: Outcome;
  /** How many calls the row stands for. */
  calls: number;
}
