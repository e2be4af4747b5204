import { z } from 'zod';
import { limits } from './limits.js';
import { signInMethods } from './sign-in.methods.js';
import { wholeNumber } from './whole.number.schema.js';

/** The systems that people sign in from, as far as their browsers name them. */
export const signInPlatforms = [
  ...(['Windows', 'macOS', 'iPhone', 'iPad', 'Android', 'ChromeOS', 'Linux'] as const),
  'Other',
] as const;
export type SignInPlatform = (typeof signInPlatforms)[number];

/** The region of a sign-in that nothing names; ISO 3166 reserves the code for such uses. */
export const unknownRegion = 'ZZ';

const day = z.iso.date('must be a day such as 2026-05-31');
const method = z.enum(signInMethods, `must be one of ${signInMethods.join(', ')}`);
const platform = z.enum(signInPlatforms, `must be one of ${signInPlatforms.join(', ')}`);
const region = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 country code such as DE, or ZZ for unknown');

/**
 * The filter that list, figures and export of a project's users share. `from` and `to` are UTC days, both inclusive; the
 * default is the 30 days up to today.
 */
export const projectUsersFilters = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  method: method.optional(),
  platform: platform.optional(),
  region: region.optional(),
});
export type ProjectUsersFilters = z.infer<typeof projectUsersFilters>;

export const projectUsersQuery = z.strictObject({
  ...projectUsersFilters.shape,
  limit: wholeNumber(1, limits.projectUsersPerPageMax).default(limits.projectUsersPerPage),
  cursor: z
    .string()
    .regex(/^\d{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be the `next` of an earlier page')
    .optional(),
});
export type ProjectUsersQuery = z.infer<typeof projectUsersQuery>;

const time = z.iso.datetime();

/**
 * A person who signed in through a project. `id` is the `sub` of the project's tokens; name, email and wallet are null
 * unless the person lets the app see them now. `lastSeenAt`, method, platform and region are those of the last sign-in
 * that matches.
 */
export const projectUser = z.object({
  id: z.uuid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  wallet: z.string().nullable(),
  isConnected: z.boolean(),
  method: z.string(),
  platform: z.string(),
  region: z.string(),
  firstSeenAt: time,
  lastSeenAt: time,
});
export type ProjectUser = z.infer<typeof projectUser>;

/** A page of `GET /api/projects/:code/users`; `next` is the `cursor` of the next page, or null on the last. */
export const projectUsers = z.object({ users: z.array(projectUser), next: z.string().nullable() });
export type ProjectUsers = z.infer<typeof projectUsers>;

const count = z.number().int();

/**
 * Figures of a range. `users` are the people who signed in during the range, the sum of those who were `new` and
 * `returning`; `total` are all people up to the end of the range. A series entry covers `bucketDays` days from `day`,
 * the last one fewer if the range ends before. Breakdowns count people, most first; a person counts in each kind used.
 */
export const projectUsersMetrics = z.object({
  from: day,
  to: day,
  bucketDays: count,
  totals: z.object({ users: count, new: count, returning: count, signIns: count, total: count }),
  series: z.array(z.object({ day, new: count, returning: count, total: count })),
  methods: z.array(z.object({ method: z.string(), users: count })),
  platforms: z.array(z.object({ platform: z.string(), users: count })),
  regions: z.array(z.object({ region: z.string(), users: count })),
});
export type ProjectUsersMetrics = z.infer<typeof projectUsersMetrics>;

/**
 * What a page on an origin that the project does not allow tried: to sign somebody in, or to receive a callback.
 * Anybody can cause an entry.
 */
export const refusalKinds = ['signIn', 'callback'] as const;
export type RefusalKind = (typeof refusalKinds)[number];

/** The refused sign-ins of the last 24 hours, the last one first. */
export const projectRefusals = z.array(
  z.object({ origin: z.string(), kind: z.enum(refusalKinds), calls: count, lastAt: time }),
);
export type ProjectRefusals = z.infer<typeof projectRefusals>;
