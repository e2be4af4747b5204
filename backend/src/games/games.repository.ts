import { Injectable } from '@nestjs/common';
import type { TenantClaim } from '@orange-id/contract/tenant.claims';
import { DataSource } from 'typeorm';
import { ownedProject } from '../projects/owned.project.sql.js';

export interface ListedGameRow {
  code: string;
  name: string;
  players: number;
  plays: number;
  errors: number;
  createdAt: Date;
}

export interface PlayerRow {
  data: string | null;
  version: number;
  savedAt: Date | null;
}

/** A score with what the player's account has; the service shows what they consented to. */
export interface ScoreRow {
  rank: number;
  best: number;
  at: Date;
  claims: TenantClaim[];
  isConnected: boolean;
  displayName: string | null;
}

const today = `(now() at time zone 'UTC')::date`;
const allTime = `'-infinity'::date`;
const dayOf = { all: allTime, today } as const;

/** Ranks are counted up to here, so that a score costs the same in a game with a million players. */
const ranksMax = 10_000;

const rankOf = (day: string, best: string) =>
  `(select case when count(*) < ${ranksMax} then count(*)::int + 1 end
    from (select 1 from game_scores
          where game_id = $1 and day = ${day} and best > ${best} limit ${ranksMax}) better)`;

/** The SQL of games. Only projects of the embedded project service have games. */
@Injectable()
export class GamesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The id of the owner's project; null if the owner has no such project. */
  async projectOf(ownerId: string, code: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ id: string }[]>(ownedProject, [code, ownerId]);
    return row?.id ?? null;
  }

  async idOf(projectCode: string, code: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ id: string }[]>(
      `select g.id from games g join projects p on p.id = g.project_id
       where p.code = $1 and p.service is null and g.code = $2`,
      [projectCode, code],
    );
    return row?.id ?? null;
  }

  /** The oldest first. */
  async list(projectId: string): Promise<ListedGameRow[]> {
    return this.dataSource.query<ListedGameRow[]>(
      `select code, name, plays::float8 as plays, errors::float8 as errors, created_at as "createdAt",
         (select count(*)::int from game_players where game_id = g.id) as players
       from games g where project_id = $1 order by created_at, id`,
      [projectId],
    );
  }

  /** Adds a game and returns when; null if the project has `most` games. Throws if the project has the code already. */
  async add(
    { id, projectId, code, name }: { id: string; projectId: string; code: string; name: string },
    most: number,
  ): Promise<Date | null> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('select from projects where id = $1 for no key update', [projectId]);
      const [row] = await manager.query<{ createdAt: Date }[]>(
        `insert into games (id, project_id, code, name)
           select $1, $2, $3, $4 where (select count(*) from games where project_id = $2) < $5
         returning created_at as "createdAt"`,
        [id, projectId, code, name, most],
      );
      return row?.createdAt ?? null;
    });
  }

  /** Whether there was such a game. */
  async remove(projectId: string, code: string): Promise<boolean> {
    const [, removed] = await this.dataSource.query<[unknown, number]>(
      'delete from games where project_id = $1 and code = $2',
      [projectId, code],
    );
    return removed > 0;
  }

  async countError(gameId: string): Promise<void> {
    await this.dataSource.query('update games set errors = errors + 1 where id = $1', [gameId]);
  }

  async player(gameId: string, connectionId: string): Promise<PlayerRow> {
    const [row] = await this.dataSource.query<PlayerRow[]>(
      `select data, version, saved_at as "savedAt" from game_players
       where game_id = $1 and connection_id = $2`,
      [gameId, connectionId],
    );
    return row ?? { data: null, version: 0, savedAt: null };
  }

  /**
   * Saves data that is based on `version`; null if that is not the newest, or if this is the first save of a player with
   * data in `mostGames` games.
   */
  async save(
    gameId: string,
    connectionId: string,
    given: { data: string; version: number },
    mostGames: number,
  ): Promise<{ version: number; savedAt: Date } | null> {
    const [row] = await this.dataSource.query<{ version: number; savedAt: Date }[]>(
      `insert into game_players as p (game_id, connection_id, data, version, saved_at)
         select $1, $2, $3, 1, date_trunc('milliseconds', now())
         where ($4::int = 0 or exists (select from game_players where game_id = $1 and connection_id = $2))
           and (exists (
             select from game_players where game_id = $1 and connection_id = $2 and data is not null
           ) or (
             select count(*) from (
               select from tenant_connections c join game_players others on others.connection_id = c.id
               where c.user_id = (select user_id from tenant_connections where id = $2) and others.data is not null
               limit $5
             ) as played
           ) < $5)
       on conflict (game_id, connection_id) do update set
         data = excluded.data, version = p.version + 1, saved_at = excluded.saved_at
         where p.version = $4::int
       returning version, saved_at as "savedAt"`,
      [gameId, connectionId, given.data, given.version, mostGames],
    );
    return row ?? null;
  }

  /** Counts a play and keeps its score if it is the player's best of today or of all time. */
  async addScore(
    gameId: string,
    connectionId: string,
    score: number,
  ): Promise<{ best: number; rank: number | null; rankToday: number | null }> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(
        'insert into game_players (game_id, connection_id) values ($1, $2) on conflict do nothing',
        [gameId, connectionId],
      );
      await manager.query(
        `insert into game_scores as s (game_id, day, connection_id, best, at)
           select $1, day, $2, $3, date_trunc('milliseconds', now())
           from (values (${allTime}), (${today})) as days (day)
         on conflict (game_id, connection_id, day) do update set best = excluded.best, at = excluded.at
           where excluded.best > s.best`,
        [gameId, connectionId, score],
      );
      await manager.query(
        `delete from game_scores
         where game_id = $1 and connection_id = $2 and day > ${allTime} and day < ${today}`,
        [gameId, connectionId],
      );
      await manager.query('update games set plays = plays + 1 where id = $1', [gameId]);
      const [row] = await manager.query(
        `select mine.best, ${rankOf(allTime, 'mine.best')} as rank,
           ${rankOf(
             today,
             `(select best from game_scores
             where game_id = $1 and connection_id = $2 and day = ${today})`,
           )} as "rankToday"
         from game_scores mine where game_id = $1 and connection_id = $2 and day = ${allTime}`,
        [gameId, connectionId],
      );
      return row;
    });
  }

  async leaderboard(gameId: string, period: keyof typeof dayOf, limit: number): Promise<ScoreRow[]> {
    return this.dataSource.query<ScoreRow[]>(
      `select rank() over (order by s.best desc)::int as rank, s.best, s.at, c.claims,
         c.disconnected_at is null as "isConnected", u.display_name as "displayName"
       from (
         select connection_id, best, at from game_scores where game_id = $1 and day = ${dayOf[period]}
         order by best desc, at limit $2
       ) s
       join tenant_connections c on c.id = s.connection_id
       join users u on u.id = c.user_id
       order by s.best desc, s.at`,
      [gameId, limit],
    );
  }
}
