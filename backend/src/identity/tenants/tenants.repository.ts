import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { type SignInPlatform, unknownRegion } from '@orange-id/contract/project.users.schema';
import { tenantClaims, type TenantClaim } from '@orange-id/contract/tenant.claims';
import { DataSource, type EntityManager } from 'typeorm';
import { isDeleted } from '../../auth/deleted.accounts.js';
import { isDisabled } from '../../auth/disabled.accounts.js';
import { isActiveSession } from '../../auth/active.session.sql.js';

const dayMs = 86_400_000;

/** A project as a tenant, with its allowed URLs. */
export interface TenantRow {
  projectId: string;
  code: string;
  name: string;
  ownerId: string;
  urls: string[];
}

/** A person's connection to a project's app, for one of its active sessions. */
export interface ConnectionRow extends TenantRow {
  userId: string;
  claims: TenantClaim[];
  consentedAt: Date | null;
  connectedAt: Date;
  /** Whether its last use was recorded more than a minute ago. */
  isUseOld: boolean;
}

/** A connection as its person sees it. */
export interface ConnectedRow {
  id: string;
  code: string;
  name: string;
  previousName: string | null;
  claims: TenantClaim[];
  connectedAt: Date;
  lastUsedAt: Date;
  origins: string[];
  site: string;
}

/** A project and whom to notify of what happens in it. */
export type OwnedProject = Pick<TenantRow, 'code' | 'ownerId'>;
const codeAndOwner = 'p.code, p.owner_id as "ownerId"';

const tenantColumns = `p.id as "projectId", p.code, p.project_name as name, p.owner_id as "ownerId",
  (select coalesce(json_agg(url order by url), '[]') from project_urls where project_id = p.id) as urls`;

/**
 * Selects the former name that a person knows a project by, if it ended after `since` and differs from the current one:
 * the name at the time `known`, else the latest. `p` is the project.
 */
const formerName = (since: string, known: string) =>
  `select n.name from project_names n
   where n.project_id = p.id and n.ended_at > ${since} and n.name <> p.project_name
   order by n.ended_at <= ${known} nulls last, case when n.ended_at > ${known} then n.ended_at end, n.ended_at desc
   limit 1`;

/** When a former name must have ended to be shown at `now`. */
const shownSince = (now: Date): Date => new Date(now.getTime() - limits.formerNameDays * dayMs);

/** Only projects of the embedded project service are tenants, as long as their owner's account is neither deleted nor disabled. */
const isTenant = `p.service is null and not ${isDeleted('p.owner_id')} and not ${isDisabled('p.owner_id')}`;

/** The SQL of tenants. Read afresh at each request. */
@Injectable()
export class TenantsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async byCode(code: string): Promise<TenantRow | null> {
    const [row] = await this.dataSource.query<TenantRow[]>(
      `select ${tenantColumns} from projects p where p.code = $1 and ${isTenant}`,
      [code],
    );
    return row ?? null;
  }

  /** The project that allows this URL; null if none does, or if several do. */
  async onlyOneAllowing(url: string): Promise<TenantRow | null> {
    const rows = await this.dataSource.query<TenantRow[]>(
      `select ${tenantColumns} from projects p
       where p.id in (select project_id from project_urls where url = $1 limit 2) and ${isTenant}`,
      [url],
    );
    return rows.length === 1 ? (rows[0] as TenantRow) : null;
  }

  /**
   * Connects a person to a project, or finds the connection, and returns its id; null if the project is deleted. A
   * person who disconnected and returns gets the same id, without what was granted before.
   */
  async connect(
    manager: EntityManager,
    given: { id: string; projectId: string; userId: string },
  ): Promise<string | null> {
    const [row] = await manager.query<{ id: string }[]>(
      `insert into tenant_connections as c (id, project_id, user_id)
         select $1, p.id, $3 from projects p where p.id = $2 and ${isTenant} for key share of p
       on conflict (project_id, user_id) do update set
         last_used_at = now(), disconnected_at = null,
         claims = case when c.disconnected_at is null then c.claims else '{}' end,
         consented_at = case when c.disconnected_at is null then c.consented_at end
       returning id`,
      [given.id, given.projectId, given.userId],
    );
    return row?.id ?? null;
  }

  /** Counts a sign-in of this connection today (UTC). A known region stays if the request names none. */
  async countSignIn(
    manager: EntityManager,
    connectionId: string,
    given: { method: string; platform: SignInPlatform; region: string | undefined },
  ): Promise<void> {
    await manager.query(
      `insert into tenant_sign_ins as s
         (connection_id, project_id, day, method, platform, region, is_new, last_at)
         select c.id, c.project_id, today, $2, $3, $4, (c.created_at at time zone 'UTC')::date = today,
           date_trunc('milliseconds', clock_timestamp())
         from tenant_connections c, cast(now() at time zone 'UTC' as date) as today where c.id = $1
       on conflict (connection_id, day, method, platform) do update set
         calls = s.calls + 1, last_at = excluded.last_at,
         region = case excluded.region when '${unknownRegion}' then s.region else excluded.region end`,
      [connectionId, given.method, given.platform, given.region ?? unknownRegion],
    );
  }

  /** Records what the person lets the app see from now on. */
  async grant(manager: EntityManager, id: string, claims: readonly TenantClaim[]): Promise<void> {
    await manager.query('update tenant_connections set claims = $2, consented_at = now() where id = $1', [
      id,
      claims,
    ]);
  }

  /**
   * What a person who is connected to a project lets its app see; `consentedAt` is null before they are asked.
   * `isOriginKnown`: whether a session of theirs that is still stored was created for a page on `origin`.
   */
  async granted(
    projectId: string,
    userId: string,
    origin: string,
  ): Promise<{ claims: TenantClaim[]; consentedAt: Date | null; isOriginKnown: boolean } | null> {
    const [row] = await this.dataSource.query<
      { claims: TenantClaim[]; consentedAt: Date | null; isOriginKnown: boolean }[]
    >(
      `select claims, consented_at as "consentedAt",
         exists (select from refresh_tokens where connection_id = c.id and party = $3) as "isOriginKnown"
       from tenant_connections c
       where project_id = $1 and user_id = $2 and disconnected_at is null`,
      [projectId, userId, origin],
    );
    return row ?? null;
  }

  /** The former name of a project that a person should see; `consentedAt` is when they last chose what its app sees. */
  async previousName(projectId: string, consentedAt: Date | null, now: Date): Promise<string | null> {
    const [row] = await this.dataSource.query<{ name: string }[]>(
      `select former.name from projects p, lateral (${formerName('$2', '$3::timestamptz')}) as former
       where p.id = $1`,
      [projectId, shownSince(now), consentedAt],
    );
    return row?.name ?? null;
  }

  /** The uploaded logo in the project's look: its path, on light or else on dark; null without one. */
  async uploadedLogo(projectId: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ light: string; dark: string }[]>(
      `select value->'logo'->>'light' as light, value->'logo'->>'dark' as dark from project_appearances
       where project_id = $1 order by version desc limit 1`,
      [projectId],
    );
    return [row?.light, row?.dark].find((path) => path?.startsWith('/pictures/')) ?? null;
  }

  /** The connection with its project; null once it is disconnected, or the project is deleted. */
  async connection(id: string): Promise<ConnectionRow | null> {
    const [row] = await this.dataSource.query<ConnectionRow[]>(
      `select ${tenantColumns}, c.user_id as "userId", c.claims, c.consented_at as "consentedAt",
         c.created_at as "connectedAt", c.last_used_at < now() - interval '1 minute' as "isUseOld"
       from tenant_connections c join projects p on p.id = c.project_id
       where c.id = $1 and c.disconnected_at is null and ${isTenant}`,
      [id],
    );
    return row ?? null;
  }

  /** The apps that a person is connected to, last used first, with the origins of their active sessions. */
  connectionsOf(userId: string, now: Date): Promise<ConnectedRow[]> {
    return this.dataSource.query(
      `select c.id, p.code, p.project_name as name, c.claims,
         (${formerName('$2', 'coalesce(c.consented_at, c.created_at)')}) as "previousName", c.created_at as "connectedAt",
         c.last_used_at as "lastUsedAt",
         (select coalesce(json_agg(distinct party order by party), '[]') from refresh_tokens
          where connection_id = c.id and ${isActiveSession}) as origins,
         coalesce(
           (select party from refresh_tokens where connection_id = c.id order by last_used_at desc limit 1),
           (select url from project_urls where project_id = p.id order by id limit 1)) as site
       from tenant_connections c join projects p on p.id = c.project_id
       where c.user_id = $1 and c.disconnected_at is null and p.service is null
       order by c.last_used_at desc, c.id`,
      [userId, shownSince(now)],
    );
  }

  /** Like `grant`, for a connection of this person only; returns its project, or null if it is not theirs. */
  async grantOwn(
    manager: EntityManager,
    { id, userId, claims }: { id: string; userId: string; claims: readonly TenantClaim[] },
  ): Promise<OwnedProject | null> {
    const [rows] = await manager.query<[OwnedProject[], number]>(
      `update tenant_connections c set claims = $3, consented_at = now() from projects p
       where c.id = $1 and c.user_id = $2 and c.disconnected_at is null and p.id = c.project_id
       returning ${codeAndOwner}`,
      [id, userId, tenantClaims.filter((claim) => claims.includes(claim))],
    );
    return rows[0] ?? null;
  }

  /**
   * Ends a connection of this person, with what was granted; returns its project, or null if it is not theirs. Its id
   * stays.
   */
  async disconnect(
    manager: EntityManager,
    { id, userId }: { id: string; userId: string },
  ): Promise<OwnedProject | null> {
    const [rows] = await manager.query<[OwnedProject[], number]>(
      `update tenant_connections c set disconnected_at = now(), claims = '{}', consented_at = null from projects p
       where c.id = $1 and c.user_id = $2 and c.disconnected_at is null and p.id = c.project_id
       returning ${codeAndOwner}`,
      [id, userId],
    );
    return rows[0] ?? null;
  }

  /** Records that an app used a connection whose use is old, without waiting for a concurrent change. */
  async noteUse(id: string): Promise<void> {
    await this.dataSource.query(
      `update tenant_connections set last_used_at = now() where id in (
         select id from tenant_connections
         where id = $1 and last_used_at < now() - interval '1 minute' and disconnected_at is null
         for no key update skip locked)`,
      [id],
    );
  }
}
