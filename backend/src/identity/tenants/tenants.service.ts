import { Inject, Injectable } from '@nestjs/common';
import { exampleAddress } from '@orange-id/contract/example.page';
import type { Environment } from '../../config/environment.js';
import { otherPortalsOf } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { plainCallback } from '../../config/callback.rule.js';
import { PortalError } from '../../http/portal.error.js';
import { givenNote, shorten } from '../../http/request.issues.js';
import { portalTenant, type ProjectTenant, type Tenant } from '../../auth/tenant.js';
import {
  type NamedTenant,
  isOnlyForCalls,
  isTenantOrigin,
  originRefused,
  unknownTenant,
} from './tenant.rule.js';
import { TenantRefusals } from './tenant.refusals.js';
import { type TenantRow, TenantsRepository } from './tenants.repository.js';

/** Finds the tenant of a request. Reads the database each time, so a changed URL or a deletion is in force at once. */
@Injectable()
export class Tenants {
  private readonly portals: readonly string[];

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly tenants: TenantsRepository,
    private readonly refusals: TenantRefusals,
  ) {
    this.portals = [environment.PUBLIC_URL, ...otherPortalsOf(environment)];
  }

  /**
   * The tenant that a request names, or else the only project that allows its origin. `host` is the request's own host:
   * a page on it is this portal's, under whatever name the portal was opened. Forms of the portal's own pages have the
   * origin `null`, and no page of that origin can read the response. Throws `auth.tenantUnknown`,
   * `auth.originNotAllowed` and `auth.tenantRequired`.
   */
  async resolve(named: NamedTenant, origin: string | undefined, host: string | undefined): Promise<Tenant> {
    const isOwn =
      origin === undefined || origin === 'null' || this.portals.includes(origin) || isSameHost(origin, host);
    if (named === 'portal' || (named === null && isOwn)) {
      if (!isOwn) throw originRefused(origin, this.environment.TENANT_ID);
      return portalTenant;
    }
    if (named !== null) return this.require(named.code, origin);
    const site = URL.canParse(origin as string) ? new URL(origin as string) : null;
    const row = site && (await this.tenants.onlyOneAllowing(`${site.protocol}//${site.hostname}`));
    if (row) return this.admit(row, origin);
    throw new PortalError('auth.tenantRequired', {
      message: `The request names no project. Set subscriptionKey and tenantId to your project ID${givenNote(origin)}`,
    });
  }

  /** A project as the tenant of a page on `origin`. Throws `auth.tenantUnknown` and `auth.originNotAllowed`. */
  async require(code: string, origin: string | undefined): Promise<ProjectTenant> {
    const row = await this.tenants.byCode(code);
    if (row === null) throw unknownTenant(code);
    return this.admit(row, origin);
  }

  /**
   * A project and a callback of its app. The callback is compared after parsing: its origin is allowed for the project,
   * with any path. Throws `auth.tenantUnknown` and `auth.redirectInvalid`.
   */
  async requireCallback(
    code: string,
    callback: unknown,
  ): Promise<{ tenant: ProjectTenant & { origin: string }; callback: string }> {
    const row = await this.tenants.byCode(code);
    if (row === null) throw unknownTenant(code);
    const url = plainCallback(callback);
    const isAllowed = url !== null && this.isAllowed(url.origin, row.urls);
    if (url && !isAllowed) this.refusals.note(row.projectId, url.origin, 'callback');
    if (!isAllowed || !this.isAppPage(url, code)) {
      const message = callbackProblem(callback, url, row);
      throw new PortalError('auth.redirectInvalid', { message });
    }
    return { tenant: { ...tenantOf(row), origin: url.origin }, callback: url.href };
  }

  /** A project and its allowed URLs. Throws `auth.tenantUnknown`. */
  async find(code: string): Promise<{ tenant: ProjectTenant; urls: readonly string[] }> {
    const row = await this.tenants.byCode(code);
    if (row === null) throw unknownTenant(code);
    return { tenant: tenantOf(row), urls: row.urls };
  }

  isAllowed(origin: string, urls: readonly string[]): boolean {
    return isTenantOrigin(origin, urls, this.environment.PUBLIC_URL);
  }

  /** Shows the origin to the project's owner, and returns the error. */
  refused(
    origin: string,
    { projectId, code, urls }: Pick<TenantRow, 'projectId' | 'code' | 'urls'>,
  ): PortalError {
    this.refusals.note(projectId, origin, 'signIn');
    return originRefused(origin, code, urls);
  }

  private admit(row: TenantRow, origin: string | undefined): ProjectTenant {
    if (origin !== undefined && !this.isAllowed(origin, row.urls)) throw this.refused(origin, row);
    return { ...tenantOf(row), origin: origin ?? null };
  }

  /** Of this portal's own pages only the project's example is an app's. */
  private isAppPage({ origin, pathname }: URL, code: string): boolean {
    return origin !== this.environment.PUBLIC_URL || pathname === exampleAddress(code);
  }
}

/** Why a callback is refused; `url` is null unless all parsers read it alike. */
function callbackProblem(callback: unknown, url: URL | null, { name, urls }: TenantRow): string {
  if (typeof callback !== 'string' || callback === '') return 'The link has no callback URL';
  const yours = `Yours is ${shorten(callback)}`;
  if (url === null) {
    return /[?#]/.test(callback)
      ? `A callback URL can’t have a query or fragment. ${yours}`
      : `The callback URL isn’t valid. ${yours}`;
  }
  const rule = `The callback URL must be on one of the URLs that ${JSON.stringify(name)} allows, or on localhost`;
  const wildcard = isOnlyForCalls(url.origin, urls)
    ? `. A wildcard allows API calls only: add ${url.origin} itself`
    : '';
  return `${rule}. ${yours}${wildcard}`;
}

const tenantOf = ({ projectId, code, name, ownerId }: TenantRow): ProjectTenant => ({
  kind: 'project',
  projectId,
  code,
  name,
  ownerId,
  origin: null,
});

const isSameHost = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;
