import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Wallets whose key has signed, stored by address so that the record stays when the wallet is unlinked. */
export class KeyProvenWallets1764374400000 implements MigrationInterface {
  name = 'KeyProvenWallets1764374400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table key_proven_wallets (
        address text primary key,
        proven_at timestamptz not null default now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table key_proven_wallets');
  }
}
