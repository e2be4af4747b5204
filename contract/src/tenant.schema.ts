import { z } from 'zod';
import { signInMethods } from './sign-in.methods.js';
import { tenantClaims } from './tenant.claims.js';

/** The query of `GET /api/v1/auth/authorize` besides tenant, callback and marker, which have rules of their own. */
export const authorizeQuery = z.object({
  display: z.enum(['page', 'popup']).default('page'),
  method: z.enum(signInMethods).optional(),
  prompt: z.enum(['consent']).optional(),
});

/**
 * A sign-in that an app has begun. `origin` is that of the app's page, in ASCII; `isLocal` means that it is on the
 * reader's computer.
 */
export const appFlow = z.object({
  app: z.object({ name: z.string(), projectId: z.string(), origin: z.string(), isLocal: z.boolean() }),
  display: z.enum(['page', 'popup']),
  method: z.enum(signInMethods).nullable(),
});
export type AppFlowInfo = z.infer<typeof appFlow>;

/** The tokens of the person who has signed in for an app. A temporary session ends with the flow. */
export const appFlowSignIn = z.strictObject({
  token: z.string().max(8192),
  refreshToken: z.string().max(256),
  isTemporary: z.boolean(),
});
export type AppFlowSignIn = z.infer<typeof appFlowSignIn>;

/** Where the browser goes next. */
export const appFlowNext = z.object({ next: z.string() });
export type AppFlowNext = z.infer<typeof appFlowNext>;

/**
 * An app that a person is connected to. `origins` are those of its active sessions; `site` is the origin of its last
 * session or, if that is forgotten, an allowed URL.
 */
export const connectedApp = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  /** The name until a renaming within the last 30 days. */
  previousName: z.string().nullable(),
  origins: z.array(z.string()),
  site: z.string(),
  connectedAt: z.string(),
  lastUsedAt: z.string(),
  claims: z.array(z.enum(tenantClaims)),
});
export type ConnectedApp = z.infer<typeof connectedApp>;
export const connectedAppList = z.array(connectedApp);

export const connectedAppUpdate = z.strictObject({
  claims: z.array(z.enum(tenantClaims)).max(tenantClaims.length),
});
export type ConnectedAppUpdate = z.infer<typeof connectedAppUpdate>;
