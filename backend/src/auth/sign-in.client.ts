import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { portalTenant, type Tenant } from './tenant.js';

/** The client of a sign-in, as far as it is known: the browser, the origin of the requesting page, and its tenant. */
export interface SignInClient {
  userAgent: string | undefined;
  origin: string | undefined;
  tenant: Tenant;
  /** The ISO 3166 code of the country of the browser, as far as the request names it. */
  region?: string | undefined;
}

/** A request after `TenantGuard` has found its tenant and its region. */
export type TenantRequest = FastifyRequest & { tenant?: Tenant; region?: string | undefined };

/** The user agent, origin and tenant of a request. Browsers send `Origin` with every `POST` (Fetch standard). */
export const CurrentClient = createParamDecorator((_: unknown, context: ExecutionContext): SignInClient => {
  const { headers, tenant = portalTenant, region } = context.switchToHttp().getRequest<TenantRequest>();
  return { userAgent: headers['user-agent'], origin: headers.origin, tenant, region };
});
