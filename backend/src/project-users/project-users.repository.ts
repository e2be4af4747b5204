import { Injectable } from '@nestjs/common';
import type { ProjectUsersFilters } from '@orange-id/contract/project.users.schema';
import type { TenantClaim } from '@orange-id/contract/tenant.claims';
import { DataSource } from 'typeorm';
import { isDeleted } from '../auth/deleted.accounts.js';
import type { DayRange } from './project-users.range.js';
import { ownedProject } from '../projects/owned.project.sql.js';

/** Whose sign-ins, and which. */
export interface SignInsWanted extends Pick<ProjectUsersFilters, 'method' | 'platform' | 'region'> {
  projectId: string;
  range: DayRange;
}

/** A person with all that the account has; the service shows what they consented to. */
export interface PersonRow {
  id: string;
  claims: TenantClaim[];
  isConnected: boolean;
  displayName: string | null;
  profileImageUrl: string | null;
  email: string | null;
  emailVerified: boolean;
  ethAddress: string | null;
  method: string;
  platform: string;
  region: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
}

/** One figure of a range: of a bar of the series, of one kind of a breakdown, or of the whole (all null). */
export interface FigureRow {
  bar: number | null;
  method: string | null;
  platform: string | null;
  region: string | null;
  users: number;
  new: number;
  signIns: number;
}

const personColumns = `c.id, c.claims, c.disconnected_at is null and not ${isDeleted('u.id')} as "isConnected", u.display_name as "displayName",
  u.profile_image_url as "profileImageUrl", u.email, u.email_verified as "emailVerified",
  u.eth_address as "ethAddress", s.method, s.platform, s.region,
  c.created_at as "firstSeenAt", s.last_at as "lastSeenAt"`;

const matching = `($4::text is null or method = $4) and ($5::text is null or platform = $5)
  and ($6::text is null or region = $6)`;
const valuesOf = ({ projectId, range, method, platform, region }: SignInsWanted) => [
  ...[projectId, range.from, range.to],
  ...[method ?? null, platform ?? null, region ?? null],
];

/** The SQL of the people who signed in through a project. */
@Injectable()
export class ProjectUsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The id of the owner's project; null if the owner has no such project. */
  async projectOf(ownerId: string, code: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ id: string }[]>(ownedProject, [code, ownerId]);
    return row?.id ?? null;
  }

  /** People who signed in, each with their last matching sign-in; the latest first, after `after`. */
  async page(
    wanted: SignInsWanted,
    limit: number,
    after: { at: number; id: string } | null,
  ): Promise<PersonRow[]> {
    return this.dataSource.query<PersonRow[]>(
      `select ${personColumns}
       from (
         select * from (
           select distinct on (connection_id) connection_id, last_at, method, platform, region
           from tenant_sign_ins where project_id = $1 and day between $2 and $3 and ${matching}
           order by connection_id, last_at desc
         ) each
         where $7::bigint is null or (last_at, connection_id) < (to_timestamp($7 / 1000.0), $8::uuid)
         order by last_at desc, connection_id desc limit $9
       ) s
       join tenant_connections c on c.id = s.connection_id
       join users u on u.id = c.user_id
       order by s.last_at desc, c.id desc`,
      [...valuesOf(wanted), after?.at ?? null, after?.id ?? null, limit],
    );
  }

  /** The same by connection, in the order in which people connected: each piece reads only its own people. */
  async piece(wanted: SignInsWanted, limit: number, afterId: string | null): Promise<PersonRow[]> {
    return this.dataSource.query<PersonRow[]>(
      `select ${personColumns}
       from tenant_connections c
       join users u on u.id = c.user_id
       cross join lateral (
         select last_at, method, platform, region from tenant_sign_ins
         where connection_id = c.id and day between $2 and $3 and ${matching}
         order by last_at desc limit 1
       ) s
       where c.project_id = $1 and ($7::uuid is null or c.id > $7)
       order by c.id limit $8`,
      [...valuesOf(wanted), afterId, limit],
    );
  }

  /** People of the range as a whole, by bar of the series, and by each kind of each breakdown. */
  async figures(wanted: SignInsWanted): Promise<FigureRow[]> {
    return this.dataSource.query<FigureRow[]>(
      `select bar, method, platform, region, count(distinct connection_id)::int as users,
         count(distinct connection_id) filter (where is_new)::int as new, coalesce(sum(calls), 0)::int as "signIns"
       from (
         select (day - $2::date) / $7::int as bar, method, platform, region, connection_id, is_new, calls
         from tenant_sign_ins where project_id = $1 and day between $2 and $3 and ${matching}
       ) s
       group by grouping sets ((bar), (method), (platform), (region), ())`,
      [...valuesOf(wanted), wanted.range.bucketDays],
    );
  }

  /** How many people came first before the range (`bar` -1), and in each bar of it. */
  async arrivals(wanted: SignInsWanted): Promise<{ bar: number; users: number }[]> {
    const { projectId, range, method, platform, region } = wanted;
    const bar = 'greatest(-1, floor((first - $2::date)::numeric / $3::int))::int';
    const hasFilter = [method, platform, region].some((value) => value !== undefined);
    if (hasFilter) {
      return this.dataSource.query(
        `select ${bar.replace('$3', '$7')} as bar, count(*)::int as users from (
           select min(day) as first from tenant_sign_ins
           where project_id = $1 and day <= $3 and ${matching} group by connection_id
         ) each group by 1`,
        [...valuesOf(wanted), range.bucketDays],
      );
    }
    return this.dataSource.query(
      `select ${bar} as bar, count(*)::int as users from (
         select (created_at at time zone 'UTC')::date as first from tenant_connections
         where project_id = $1 and created_at < ($4::date + 1)::timestamp at time zone 'UTC'
       ) each group by 1`,
      [projectId, range.from, range.bucketDays, range.to],
    );
  }
}
