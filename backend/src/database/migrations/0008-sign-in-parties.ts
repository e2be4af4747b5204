import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The portal that each session was created for, so that its tokens work at no other. */
export class SignInParties1764460800000 implements MigrationInterface {
  name = 'SignInParties1764460800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The origin of that portal; null for sign-ins from before, which may have been made for any that was served.
      alter table refresh_tokens add column party text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table refresh_tokens drop column party');
  }
}
