import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { ProjectRefusals, RefusalKind } from '@orange-id/contract/project.users.schema';
import { DataSource } from 'typeorm';

/** What pages on one origin tried with one project, `calls` times. */
export interface Refusal {
  projectId: string;
  origin: string;
  kind: RefusalKind;
  calls: number;
}

/** SQL; older refusals are not shown and start again at zero. */
const shownFor = `interval '24 hours'`;

/** The SQL of refused sign-ins. */
@Injectable()
export class TenantRefusalsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Adds these refusals in one statement, and removes those above the limit of a project, the oldest first. Returns the
   * projects that still exist.
   */
  async add(refusals: readonly Refusal[]): Promise<{ code: string; ownerId: string }[]> {
    const column = <K extends keyof Refusal>(name: K) => refusals.map((refusal) => refusal[name]);
    const projects = await this.dataSource.query<{ id: string; code: string; ownerId: string }[]>(
      `with noted as (
         select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) as n (project_id, origin, kind, calls)
       ), saved as (
         insert into tenant_refusals as r (project_id, origin, kind, calls, last_at)
           select p.id, n.origin, n.kind, n.calls, now() from noted n join projects p on p.id = n.project_id
           order by 1, 2, 3
         on conflict (project_id, origin, kind) do update set
           calls = excluded.calls + case when r.last_at > now() - ${shownFor} then r.calls else 0 end,
           last_at = excluded.last_at
         returning project_id
       )
       select id, code, owner_id as "ownerId" from projects where id in (select project_id from saved)`,
      [column('projectId'), column('origin'), column('kind'), column('calls')],
    );
    await this.dataSource.query(
      `delete from tenant_refusals where (project_id, origin, kind) in (
         select project_id, origin, kind from (
           select *, row_number() over (partition by project_id order by last_at desc, origin, kind) as place
           from tenant_refusals where project_id = any($1)
         ) ranked where place > ${limits.refusalsPerProject})`,
      [projects.map(({ id }) => id)],
    );
    return projects;
  }

  /** Those of the last 24 hours, the last one first. */
  async list(projectId: string): Promise<ProjectRefusals> {
    const rows = await this.dataSource.query<
      { origin: string; kind: RefusalKind; calls: string; last_at: Date }[]
    >(
      `select origin, kind, calls, last_at from tenant_refusals
       where project_id = $1 and last_at > now() - ${shownFor}
       order by last_at desc, origin, kind limit ${limits.refusalsPerProject}`,
      [projectId],
    );
    return rows.map(({ calls, last_at, ...row }) => ({
      ...row,
      calls: Number(calls),
      lastAt: last_at.toISOString(),
    }));
  }
}
