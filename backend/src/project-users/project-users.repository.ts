import { Injectable } from '@nestjs/common';
import { signInPlatforms, type ProjectUsersFilters } from '@orange-id/contract/project.users.schema';
import { signInMethods } from '@orange-id/contract/sign-in.methods';
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

/** Figures of a range. Numbers of `methods` and `platforms` are in the order of the contract's lists. */
export interface FiguresRow {
  users: number;
  new: number;
  signIns: number;
  methods: number[];
  platforms: number[];
  /** Users of each bar of the series, and new users of each that has some. */
  bars: number[];
  arrivals: Record<number, number>;
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

/** Bits of a `bigint` that stand for bars; more bars take more columns. */
const maskBits = 62;

/** A bit for each of these values of a column. */
const bitOf = (column: string, values: readonly string[]): string =>
  `case ${column} ${values.map((value, bit) => `when '${value}' then ${1 << bit}`).join(' ')} end`;

/** How many rows have each of these bits of a column. */
const countsOf = (bits: readonly (readonly [column: string, bit: number])[]): string =>
  `array[${bits.map(([column, bit]) => `count(*) filter (where ${column} & (1::bigint << ${bit}) <> 0)`).join(', ')}]::int[]`;

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
    return this.search<PersonRow>(
      `select ${personColumns}
       from (
         select connection_id, max(last_at) as last_at from tenant_sign_ins
         where project_id = $1 and day between $2 and $3 and ${matching}
         group by connection_id
         having $7::bigint is null
           or (max(last_at), connection_id) < (to_timestamp($7 / 1000.0), $8::uuid)
         order by 2 desc, 1 desc limit $9
       ) latest
       join tenant_connections c on c.id = latest.connection_id
       join users u on u.id = c.user_id
       cross join lateral (
         select last_at, method, platform, region from tenant_sign_ins
         where connection_id = c.id and day between $2 and $3 and ${matching}
         order by last_at desc limit 1
       ) s
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

  /**
   * The people of a range as a whole, and by each kind of the breakdowns that have few. Counting distinct people for each
   * of these would sort every sign-in several times, so the sign-ins are read once into one row per person, with one bit
   * for each method, platform and bar of the series.
   */
  async figures(wanted: SignInsWanted, bars: number): Promise<FiguresRow> {
    const masks = Array.from({ length: Math.ceil(bars / maskBits) }, (_, mask) => {
      const bit = `1::bigint << (bar % ${maskBits})`;
      return `bit_or(case when bar / ${maskBits} = ${mask} then ${bit} else 0 end) as bars${mask}`;
    });
    const bitsOfBars = Array.from(
      { length: bars },
      (_, bar) => [`bars${Math.floor(bar / maskBits)}`, bar % maskBits] as const,
    );
    const [row] = await this.search<FiguresRow>(
      `with people as materialized (
         select sum(calls) as calls, min(bar) filter (where is_new) as arrival,
           bit_or(${bitOf('method', signInMethods)}) as methods,
           bit_or(${bitOf('platform', signInPlatforms)}) as platforms, ${masks.join(', ')}
         from (
           select connection_id, method, platform, is_new, calls, (day - $2::date) / $7::int as bar
           from tenant_sign_ins where project_id = $1 and day between $2 and $3 and ${matching}
         ) s
         group by connection_id
       )
       select count(*)::int as users, count(arrival)::int as new, coalesce(sum(calls), 0)::int as "signIns",
         ${countsOf(signInMethods.map((_, bit) => ['methods', bit]))} as methods,
         ${countsOf(signInPlatforms.map((_, bit) => ['platforms', bit]))} as platforms,
         ${countsOf(bitsOfBars)} as bars,
         (select coalesce(json_object_agg(arrival, users), '{}') from (
           select arrival, count(*) as users from people where arrival is not null group by arrival
         ) each) as arrivals
       from people`,
      [...valuesOf(wanted), wanted.range.bucketDays],
    );
    return row as FiguresRow;
  }

  /** How many people signed in from each region. */
  async regions(wanted: SignInsWanted): Promise<{ region: string; users: number }[]> {
    return this.search(
      `select region, count(*)::int as users from (
         select distinct region, connection_id from tenant_sign_ins
         where project_id = $1 and day between $2 and $3 and ${matching}
       ) each group by region`,
      valuesOf(wanted),
    );
  }

  /** How many people came first before the range (`bar` -1), and in each bar of it. */
  async arrivals(wanted: SignInsWanted): Promise<{ bar: number; users: number }[]> {
    const { projectId, range, method, platform, region } = wanted;
    const bar = 'greatest(-1, floor((first - $2::date)::numeric / $3::int))::int';
    const hasFilter = [method, platform, region].some((value) => value !== undefined);
    if (hasFilter) {
      return this.search(
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

  /** The ids of connections in order, of all projects. */
  async connections(limit: number, afterId: string | null): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'select id from tenant_connections where $1::uuid is null or id > $1 order by id limit $2',
      [afterId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes the sign-ins of these connections from before a day, except the first of each method, platform and region,
   * which the totals count. Returns how many.
   */
  async dropSignIns(connectionIds: readonly string[], before: string): Promise<number> {
    const [, dropped] = await this.dataSource.query<[unknown, number]>(
      `delete from tenant_sign_ins s
       where connection_id = any($1) and day < $2 and exists (
         select from tenant_sign_ins first
         where first.connection_id = s.connection_id and first.method = s.method and first.platform = s.platform
           and first.region = s.region and first.day < s.day)`,
      [connectionIds, before],
    );
    return dropped;
  }

  /** A query over all sign-ins of a range, in memory for some 150,000 people; beyond them it uses files. */
  private search<Row>(sql: string, values: unknown[]): Promise<Row[]> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`select set_config('work_mem', '16MB', true), set_config('jit', 'off', true)`);
      return manager.query<Row[]>(sql, values);
    });
  }
}
