import { z } from 'zod';
import { limits } from './limits.js';
import { hasControlCharacters } from './text.rule.js';

/** How a metered call ended: `ok` below 400, `error` from 400, `blocked` by the origin rule, `limited` by rate. */
export const outcomes = ['ok', 'error', 'blocked', 'limited'] as const;
export const outcome = z.enum(outcomes);
export type Outcome = z.infer<typeof outcome>;

/**
 * One call. `seq` counts per owner from 1 without gaps; `responseTime` in ms; `timestamp` ISO 8601; `endpoint` is the
 * route's template; `origin` is `local` for the portal's own and loopback origins. Calls refused by rate are gathered:
 * such a row stands for `calls` of them; on every other row `calls` is left out and means 1.
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
  calls: z.number().int().optional(),
});
export type UsageRow = z.infer<typeof usageRow>;

const statusFilter = z
  .string()
  .regex(/^([1-5]xx|[1-5]\d\d)$/, 'must be a status such as 404 or a class such as 4xx');

/** PostgreSQL refuses a zero byte in any text. */
const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !hasControlCharacters(text), 'must not hold control characters');

const filters = {
  from: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' }).optional(),
  to: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' }).optional(),
  keyId: z.uuid('must be a key id').optional(),
  projectId: plainText(64).optional(),
  endpoint: plainText(200).optional(),
  status: statusFilter.optional(),
};

/** The filters chart, table and totals share; `from` inclusive, `to` exclusive; `status` is `404` or `4xx`. */
export const usageFilters = z.strictObject(filters);
export type UsageFilters = z.infer<typeof usageFilters>;

/** A number of a query string, where every value is text. */
function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

const cursor = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/** Rows after a sequence (oldest first, to catch up) or before one (newest first, to page back; the default). */
export const usageQuery = z.strictObject({
  ...filters,
  after: cursor.optional(),
  before: cursor.optional(),
  limit: wholeNumber(1, limits.usageRowsPerPageMax).default(limits.usageRowsPerPage),
});
export type UsageQuery = z.infer<typeof usageQuery>;

/** `next` is the cursor for the same direction, `null` at the end. */
export const usagePage = z.object({ rows: z.array(usageRow), next: z.number().int().nullable() });
export type UsagePage = z.infer<typeof usagePage>;

const ms = z.number().nullable();

/**
 * Percentiles in ms, within 9.1 % (see `latency.histogram`); `series` holds every bucket of the range, also
 * those without a call; a bucket starts at `at`. `errors` are the calls that ended with status 400 or more and were not
 * `blocked`, so `errors + blocked` is everything that was refused.
 */
export const usageMetrics = z.object({
  from: z.string(),
  to: z.string(),
  bucketSeconds: z.number().int(),
  totals: z.object({
    calls: z.number().int(),
    errors: z.number().int(),
    blocked: z.number().int(),
    p50: ms,
    p95: ms,
    p99: ms,
  }),
  series: z.array(z.object({ at: z.string(), calls: z.number().int(), errors: z.number().int() })),
  endpoints: z.array(z.object({ endpoint: z.string(), method: z.string(), calls: z.number().int() })),
  statuses: z.array(z.object({ statusCode: z.number().int(), calls: z.number().int() })),
});
export type UsageMetrics = z.infer<typeof usageMetrics>;
