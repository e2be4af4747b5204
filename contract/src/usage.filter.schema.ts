import { z } from 'zod';
import { hasControlCharacters } from './text.rule.js';
import { givenTime } from './time.schema.js';

/** PostgreSQL refuses a zero byte in text. */
const plainText = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !hasControlCharacters(text), 'must not contain control characters');

/** In the filter `origin`: calls without an Origin header. */
export const noOrigin = 'none';

/**
 * The filter that chart, totals, rows and export share; a missing field does not restrict. `from` is inclusive, `to`
 * exclusive. `projectId` is a project's code, `endpoint` a route's template. `status` is a status (`404`), a class
 * (`4xx`), `errors` (failed and not blocked), `blocked` (by the origin rule) or `revoked` (the key was replaced, was
 * deleted or has expired). `errorCode` is the `code` of the response. `origin` is the stored origin, or `none` for
 * calls without an Origin header.
 */
export const usageFilters = z.strictObject({
  from: givenTime().optional(),
  to: givenTime().optional(),
  projectId: plainText(64).min(1, 'must be a project ID').optional(),
  keyId: z.uuid('must be a key ID').optional(),
  endpoint: plainText(200).min(1, 'must be an endpoint').optional(),
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$/, 'must be an HTTP method such as GET')
    .optional(),
  status: z
    .string()
    .regex(
      /^([1-5]xx|[1-5]\d\d|errors|blocked|revoked)$/,
      'must be a status such as 404, a class such as 4xx, errors, blocked or revoked',
    )
    .optional(),
  errorCode: z
    .string()
    .regex(/^[a-z]{1,40}\.[A-Za-z]{1,40}$/, 'must be an error code such as request.invalid')
    .optional(),
  origin: plainText(255).min(1, 'must be an origin, local or none').optional(),
});
export type UsageFilters = z.infer<typeof usageFilters>;
