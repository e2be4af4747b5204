import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The games of projects, what they save for each player, and scores. */
export class Games1765587600000 implements MigrationInterface {
  name = 'Games1765587600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table games (
        id uuid primary key,
        project_id uuid not null references projects on delete cascade,
        code text not null,
        name text not null,
        plays bigint not null default 0,
        -- Saves and scores that were refused.
        errors bigint not null default 0,
        created_at timestamptz not null default now(),
        unique (project_id, code)
      );

      create table game_players (
        game_id uuid not null references games on delete cascade,
        connection_id uuid not null references tenant_connections on delete cascade,
        -- JSON as the game sent it: jsonb refuses some strings. Null until the first save.
        data text,
        version int not null default 0,
        saved_at timestamptz,
        primary key (game_id, connection_id)
      );
      create index game_players_connection on game_players (connection_id);

      -- The best score of each player: of all time, where day is '-infinity', and of the last day (UTC) with a score.
      create table game_scores (
        game_id uuid not null references games on delete cascade,
        day date not null,
        connection_id uuid not null references tenant_connections on delete cascade,
        best double precision not null,
        at timestamptz not null,
        primary key (game_id, connection_id, day)
      );
      create index game_scores_best on game_scores (game_id, day, best desc, at);
      create index game_scores_connection on game_scores (connection_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table game_scores; drop table game_players; drop table games');
  }
}
