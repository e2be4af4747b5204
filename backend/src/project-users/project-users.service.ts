import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { projectCodePattern } from '@orange-id/contract/projects.schema';
import {
  signInPlatforms,
  type ProjectRefusals,
  type ProjectUser,
  type ProjectUsers,
  type ProjectUsersFilters,
  type ProjectUsersMetrics,
  type ProjectUsersQuery,
  unknownRegion,
} from '@orange-id/contract/project.users.schema';
import { signInMethods } from '@orange-id/contract/sign-in.methods';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { isStatementTimeout } from '../database/statement.timeout.js';
import { PortalError } from '../http/portal.error.js';
import { visibleTo } from '../identity/tenants/app.user.js';
import { TenantRefusalsRepository } from '../identity/tenants/tenant.refusals.repository.js';
import { byteOrderMark, csvLine } from '../usage/export.text.js';
import { UsageBulkhead } from '../usage/usage.bulkhead.js';
import { barsOf, dayRangeOf, firstKeptDay } from './project-users.range.js';
import { type PersonRow, ProjectUsersRepository, type SignInsWanted } from './project-users.repository.js';

/** People per piece of an export. */
const peoplePerRead = 1_000;

const columns = [
  ...(['id', 'name', 'email', 'wallet', 'isConnected', 'method', 'platform', 'region'] as const),
  ...(['firstSeenAt', 'lastSeenAt'] as const),
] satisfies readonly (keyof ProjectUser)[];

/**
 * The people who signed in through a project, for its owner. Names, emails and wallets are those that a person lets the
 * app see at this moment. Each query takes a usage query slot. Every method throws `project.notFound` for a project that
 * the caller does not own, and those that search throw `usage.tooManyCalls` and `usage.tooManyQueries`.
 */
@Injectable()
export class ProjectUsersService {
  constructor(
    private readonly people: ProjectUsersRepository,
    private readonly refusedSignIns: TenantRefusalsRepository,
    private readonly bulkhead: UsageBulkhead,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'USAGE_RETENTION_MONTHS'>,
  ) {}

  /** A page of people, the latest sign-in first. */
  async list(ownerId: string, code: string, query: ProjectUsersQuery): Promise<ProjectUsers> {
    const wanted = await this.wanted(ownerId, code, query);
    const [at, id] = query.cursor?.split('_') ?? [];
    const after = at === undefined || id === undefined ? null : { at: Number(at), id };
    const rows = await this.search(ownerId, () => this.people.page(wanted, query.limit + 1, after));
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const next = rows.length > query.limit && last ? `${last.lastSeenAt.getTime()}_${last.id}` : null;
    return { users: page.map(userOf), next };
  }

  async metrics(ownerId: string, code: string, filters: ProjectUsersFilters): Promise<ProjectUsersMetrics> {
    const wanted = await this.wanted(ownerId, code, filters);
    const days = barsOf(wanted.range);
    const [figures, regions, arrivals] = await this.search(ownerId, async () => [
      await this.people.figures(wanted, days.length),
      await this.people.regions(wanted),
      await this.people.arrivals(wanted),
    ]);
    const arrived = new Map(arrivals.map(({ bar, users }) => [bar, users]));
    let total = arrived.get(-1) ?? 0;
    const series = days.map((day, place) => {
      total += arrived.get(place) ?? 0;
      const first = figures.arrivals[place] ?? 0;
      return { day, new: first, returning: (figures.bars[place] ?? 0) - first, total };
    });
    const { users, new: first, signIns } = figures;
    return {
      ...wanted.range,
      totals: { users, new: first, returning: users - first, signIns, total },
      series,
      methods: breakdown('method', signInMethods, figures.methods),
      platforms: breakdown('platform', signInPlatforms, figures.platforms),
      regions: breakdown(
        'region',
        regions.map(({ region }) => region),
        regions.map((each) => each.users),
      ),
    };
  }

  /** Everybody who matches as CSV, in the order in which they first signed in, in pieces read on demand. */
  async export(ownerId: string, code: string, filters: ProjectUsersFilters): Promise<AsyncGenerator<string>> {
    const wanted = await this.wanted(ownerId, code, filters);
    return this.text(ownerId, wanted);
  }

  private async *text(ownerId: string, wanted: SignInsWanted): AsyncGenerator<string> {
    yield `${byteOrderMark}${csvLine(columns)}`;
    let last: PersonRow | undefined;
    for (;;) {
      const rows: PersonRow[] = await this.bulkhead.run(
        ownerId,
        () => this.people.piece(wanted, peoplePerRead, last?.id ?? null),
        limits.exportPieceWaitMs,
      );
      if (rows.length > 0) yield rows.map(userOf).map(lineOf).join('');
      last = rows.at(-1);
      if (rows.length < peoplePerRead) return;
    }
  }

  /** Origins whose sign-ins were refused in the last 24 hours. */
  async refusals(ownerId: string, code: string): Promise<ProjectRefusals> {
    return this.refusedSignIns.list(await this.requireProject(ownerId, code));
  }

  private async wanted(ownerId: string, code: string, filters: ProjectUsersFilters): Promise<SignInsWanted> {
    const now = Date.now();
    const range = dayRangeOf(filters, now, firstKeptDay(this.environment.USAGE_RETENTION_MONTHS, now));
    const { method, platform, region } = filters;
    return { projectId: await this.requireProject(ownerId, code), range, method, platform, region };
  }

  private async requireProject(ownerId: string, code: string): Promise<string> {
    const id = projectCodePattern.test(code) ? await this.people.projectOf(ownerId, code) : null;
    if (id === null) throw new PortalError('project.notFound');
    return id;
  }

  private search<T>(ownerId: string, query: () => Promise<T>): Promise<T> {
    return this.bulkhead.run(ownerId, query).catch((error: unknown) => {
      if (!isStatementTimeout(error)) throw error;
      const message = 'This range has too many sign-ins to search. Choose a shorter one';
      throw new PortalError('usage.tooManyCalls', { message, cause: error });
    });
  }
}

function userOf(row: PersonRow): ProjectUser {
  const { id, isConnected, method, platform, region } = row;
  const { name, email, wallet } = visibleTo(row, isConnected ? row.claims : []);
  return {
    id,
    name,
    email,
    wallet,
    isConnected,
    method,
    platform,
    region,
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}

const lineOf = (user: ProjectUser): string => {
  const shown = { ...user, region: user.region === unknownRegion ? null : user.region };
  return csvLine(columns.map((column) => String(shown[column] ?? '')));
};

/** Most people first, then by name. */
function breakdown<K extends 'method' | 'platform' | 'region'>(
  kind: K,
  names: readonly string[],
  counts: readonly number[],
): (Record<K, string> & { users: number })[] {
  return names
    .map(
      (name, place) => ({ [kind]: name, users: counts[place] ?? 0 }) as Record<K, string> & { users: number },
    )
    .filter(({ users }) => users > 0)
    .sort((a, b) => b.users - a.users || (a[kind] < b[kind] ? -1 : 1));
}
