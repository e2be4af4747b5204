import { z } from 'zod';
import { limits } from './limits.js';
import { usageFilters } from './usage.filter.schema.js';
import { wholeNumber } from './whole.number.schema.js';

/**
 * How a metered call ended: `ok` below 400, `error` from 400, `blocked` by the origin rule, `limited` by a rate limit,
 * `overQuota` because the owner's daily quota is used up, `revoked` because the key was replaced, was deleted or has
 * expired.
 */
export const outcomes = ['ok', 'error', 'blocked', 'limited', 'overQuota', 'revoked'] as const;
export const outcome = z.enum(outcomes);
export type Outcome = z.infer<typeof outcome>;

/**
 * One call. `seq` counts per owner from 1 without gaps; `responseTime` in ms; `timestamp` ISO 8601; `endpoint` is the
 * route's template, or `unknown` for an unknown path, which `path` then holds as `storedPath` returns it; `origin` is
 * as `storedOrigin` returns it. `errorCode` is the `code` of the response if it has one. Refused calls (`blocked`,
 * `limited`, `overQuota`, `revoked`) may be aggregated: such a row stands for `calls` of them; on every other row
 * `calls` is missing and means 1.
 */
export const usageRow = z.object({
  seq: z.number().int(),
  keyId: z.string(),
  projectId: z.string().nullable(),
  endpoint: z.string(),
  method: z.string(),
  statusCode: z.number().int(),
  responseTime: z.number(),
  timestamp: z.string(),
  origin: z.string().nullable(),
  outcome,
  errorCode: z.string().optional(),
  path: z.string().optional(),
  calls: z.number().int().optional(),
});
export type UsageRow = z.infer<typeof usageRow>;

const cursor = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/** Rows after a sequence (oldest first, to catch up) or before one (newest first, to page back; the default). */
export const usageQuery = z.strictObject({
  ...usageFilters.shape,
  after: cursor.optional(),
  before: cursor.optional(),
  limit: wholeNumber(1, limits.usageRowsPerPageMax).default(limits.usageRowsPerPage),
});
export type UsageQuery = z.infer<typeof usageQuery>;

/** `next` is the cursor for the same direction, `null` at the end. */
export const usagePage = z.object({ rows: z.array(usageRow), next: z.number().int().nullable() });
export type UsagePage = z.infer<typeof usagePage>;

const ms = z.number().nullable();
const count = z.number().int();

/**
 * `series` holds every bucket of the range, including empty ones; a bucket starts at `at`. `errors` are the calls with
 * status 400 or more that were not `blocked`, so `errors + blocked` is every call with status 400 or more;
 * `serverErrors` are the errors with status 500 or more. Percentiles are in ms; `percentiles` says whether they are
 * `exact` or from the `histogram`, hence within 9.1 % (see `latency.histogram`). `origins` are the 50 most frequent
 * (`null`: no header; `other`: also the new ones beyond 250 a day of a long range), and `null` as a whole if the range
 * was answered from roll-ups that do not contain them: those of a key with few calls, and of rows that were deleted.
 * `completeFrom` is set while the history of calls can't be read: single calls before it are missing from the answer.
 * `today` counts against the owner's daily quota, whatever the filters: the calls of the current UTC day with the
 * outcome `ok` or `error`; `quota` is `null` if there is none.
 */
export const usageMetrics = z.object({
  from: z.string(),
  to: z.string(),
  bucketSeconds: count,
  totals: z.object({ calls: count, errors: count, blocked: count, p50: ms, p95: ms, p99: ms }),
  percentiles: z.enum(['exact', 'histogram']),
  series: z.array(
    z.object({ at: z.string(), calls: count, errors: count, serverErrors: count, blocked: count }),
  ),
  endpoints: z.array(z.object({ endpoint: z.string(), method: z.string(), calls: count })),
  statuses: z.array(z.object({ statusCode: count, calls: count })),
  keys: z.array(z.object({ keyId: z.string(), calls: count })),
  origins: z.array(z.object({ origin: z.string().nullable(), calls: count })).nullable(),
  completeFrom: z.string().optional(),
  today: z.object({ calls: count, quota: count.nullable() }),
});
export type UsageMetrics = z.infer<typeof usageMetrics>;

/**
 * A key of the caller to filter calls by; `prefix` and `last4` are the ends of its text, `projectId` is its project's
 * code, `null` for a saved key.
 */
export const usageKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  last4: z.string(),
  projectId: z.string().nullable(),
  isActive: z.boolean(),
});
export type UsageKey = z.infer<typeof usageKey>;
export const usageKeyList = z.array(usageKey);
