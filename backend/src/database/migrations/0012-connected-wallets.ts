import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Wallets whose owners proved them with a project's key; they belong to the project and open no account. */
export class ConnectedWallets1764806400000 implements MigrationInterface {
  name = 'ConnectedWallets1764806400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table connected_wallets (
        project_id uuid not null references projects on delete cascade,
        address text not null,
        first_connected_at timestamptz not null,
        last_connected_at timestamptz not null,
        primary key (project_id, address)
      );
      create index connected_wallets_newest on connected_wallets (project_id, last_connected_at desc, address);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table connected_wallets');
  }
}
