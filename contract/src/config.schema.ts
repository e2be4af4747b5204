import { z } from 'zod';

/** `GET /api/config`: the public configuration. It contains no secrets. */
export const publicConfig = z.object({
  publicUrl: z.string(),
  /** The release that runs; see CHANGELOG.md. */
  version: z.string(),
  identity: z.object({
    baseUrl: z.string(),
    /** Where the profile is saved if not at `baseUrl`. */
    profileUrl: z.string().optional(),
    callbackUrl: z.string(),
    subscriptionKey: z.string(),
    tenantId: z.string(),
    walletConnectId: z.string().nullable(),
    beta: z.boolean(),
  }),
  features: z.object({
    embeddedProjects: z.boolean(),
    google: z.boolean(),
    apple: z.boolean(),
    /** Emails are shown at /dev/mailbox instead of being sent. */
    mailbox: z.boolean(),
  }),
  /**
   * The script tag of other sites, pinned to its content: its URL below `publicUrl`, and its integrity. Missing with a
   * hosted identity service.
   */
  loader: z.object({ path: z.string(), integrity: z.string() }).optional(),
  /** Where the playground runs games; `null` if the portal has no second origin. */
  playgroundOrigin: z.string().nullable(),
  /** Calls per second and instance that any key may make; the most that a key's own limit can be. */
  rateLimitPerKey: z.number().int(),
  links: z.object({
    /** What /api shows in its frame: `/api/docs`, or a page of another site. */
    apiReference: z.string(),
    /** A hosted configurator; `null` for our own. */
    configurator: z.string().nullable(),
    /** `/docs`, or the address of another site. */
    docs: z.string(),
    feedback: z.string(),
    learnMore: z.string(),
    /** Without an address: the portal's own template, guide and example page. */
    templateProject: z.string().nullable(),
    reactGuide: z.string().nullable(),
    scriptExample: z.string().nullable(),
    /** Where games are submitted, listed and shown as examples; `null` where the operator has none. */
    gameForm: z.string().nullable(),
    gameListing: z.string().nullable(),
    gameRepository: z.string().nullable(),
    telegram: z.string(),
    x: z.string(),
    discord: z.string(),
    news: z.string(),
  }),
});
export type PublicConfig = z.infer<typeof publicConfig>;
