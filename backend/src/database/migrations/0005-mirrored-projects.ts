import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects of a hosted project service, stored so that their keys can be verified and metered here. */
export class MirroredProjects1764201600000 implements MigrationInterface {
  name = 'MirroredProjects1764201600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The address of the service that a project is a mirror of; null for a project of this portal.
      alter table projects add column service text;
      -- Which names are free is a hosted service's own business.
      alter table projects drop constraint projects_owner_id_name_key_key;
      create unique index projects_own_names on projects (owner_id, name_key) where service is null;
      create index projects_owner on projects (owner_id);

      -- What is heard of an owner's projects counts in the order in which it was asked for.
      create sequence project_mirror_asks;
      create table project_mirrors (
        owner_id uuid primary key references users on delete cascade,
        asked bigint not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from projects where service is not null;
      drop table project_mirrors;
      drop sequence project_mirror_asks;
      drop index projects_owner;
      drop index projects_own_names;
      alter table projects add constraint projects_owner_id_name_key_key unique (owner_id, name_key);
      alter table projects drop column service;
    `);
  }
}
