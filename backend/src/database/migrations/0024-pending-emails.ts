import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A profile's new email waits beside the confirmed one, and links that undo the change. */
export class PendingEmails1765846800000 implements MigrationInterface {
  name = 'PendingEmails1765846800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Not unique: whoever confirms it gets it.
      alter table users add column pending_email text;
      create index users_pending_email on users (lower(pending_email)) where pending_email is not null;
      alter table email_links drop constraint email_links_purpose_check;
      alter table email_links add constraint email_links_purpose_check
        check (purpose in ('confirm', 'reset', 'restore'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from email_links where purpose = 'restore';
      alter table email_links drop constraint email_links_purpose_check;
      alter table email_links add constraint email_links_purpose_check check (purpose in ('confirm', 'reset'));
      alter table users drop column pending_email;
    `);
  }
}
