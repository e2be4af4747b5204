import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import type { TenantRequest } from '../../auth/sign-in.client.js';
import { regionOf } from './region.rule.js';
import { namedTenant } from './tenant.rule.js';
import { Tenants } from './tenants.service.js';

/** The header in which the public identity client sends its subscription key. */
const keyHeader = 'ocp-apim-subscription-key';

/**
 * Finds whom a request is for and from which region, and stores both for `@CurrentClient()`. Throws if the tenant is unknown, or the page's
 * origin is not allowed for it.
 */
@Injectable()
export class TenantGuard implements CanActivate {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly tenants: Tenants,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<TenantRequest>();
    const { headers, query, body } = request;
    const named = namedTenant(
      {
        tenantId: fieldOf(body, 'tenantId') ?? fieldOf(query, 'tenantId'),
        key: headers[keyHeader] ?? fieldOf(query, 'subscription-key'),
      },
      this.environment,
    );
    request.region = regionOf(request, this.environment);
    request.tenant = await this.tenants.resolve(named, headers.origin, headers.host);
    return true;
  }
}

const fieldOf = (fields: unknown, name: string): unknown =>
  typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name)
    ? (fields as Record<string, unknown>)[name]
    : undefined;
