/**
 * Whom a request to the identity service is for: this portal (and the portals of `IDENTITY_CALLBACKS`), or the app of a
 * project. `origin` is the allowed origin of the requesting page; null if the request has none.
 */
export type Tenant = { kind: 'portal' } | ProjectTenant;

export interface ProjectTenant {
  kind: 'project';
  projectId: string;
  code: string;
  name: string;
  ownerId: string;
  origin: string | null;
}

export const portalTenant: Tenant = { kind: 'portal' };
