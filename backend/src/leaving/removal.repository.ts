import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** What else names an account: its email addresses and wallets, and the accounts of providers. */
export interface AccountNames {
  emails: string[];
  identities: { provider: string; subject: string }[];
}

/** Rows that one statement may change, so that it ends well before its time limit. */
const batchRows = 1_000;
const browsersRead = 10_000;

const inBatches = (table: string, condition: string, action = `delete from ${table}`): string =>
  `${action} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batchRows}))`;

/**
 * The rows of an account that can be many, before the account itself, whose foreign keys do the rest. Rows of calls
 * stay until their month is dropped (`UsageRetention`): they have the account's id, which by then names nobody.
 */
const batches = [
  inBatches('forum_posts', 'user_id = $1', 'update forum_posts set user_id = null'),
  inBatches('forum_replies', 'user_id = $1', 'update forum_replies set user_id = null'),
  inBatches('forum_followers', 'user_id = $1'),
  inBatches('tenant_sign_ins', 'connection_id in (select id from tenant_connections where user_id = $1)'),
  inBatches('tenant_connections', 'user_id = $1'),
  // What belongs to the account's projects.
  inBatches('tenant_sign_ins', 'project_id in (select id from projects where owner_id = $1)'),
  inBatches('tenant_connections', 'project_id in (select id from projects where owner_id = $1)'),
  inBatches('connected_wallets', 'project_id in (select id from projects where owner_id = $1)'),
  inBatches('tenant_refusals', 'project_id in (select id from projects where owner_id = $1)'),
  inBatches('project_urls', 'project_id in (select id from projects where owner_id = $1)'),
  inBatches('deleted_keys', 'user_id = $1'),
  inBatches('usage_days', 'user_id = $1'),
  inBatches('usage_hours', 'user_id = $1'),
  inBatches('usage_cells', 'user_id = $1'),
  inBatches('usage_owner_cells', 'user_id = $1'),
  inBatches('usage_key_days', 'user_id = $1'),
  inBatches('usage_keys', 'user_id = $1'),
  inBatches('usage_origins', 'user_id = $1'),
  inBatches('usage_other_origins', 'user_id = $1'),
];

/** The SQL that removes the rows of deleted accounts. */
@Injectable()
export class RemovalRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The accounts whose rows go at `now`, in the order of their deletion. */
  async due(now: Date): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'select user_id as id from account_deletions where due_at <= $1 order by due_at limit 100',
      [now],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether the account is still deleted and due, with its row locked. */
  async holdDue(manager: EntityManager, userId: string, now: Date): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'select from account_deletions where user_id = $1 and due_at <= $2 for update',
      [userId, now],
    );
    return rows.length > 0;
  }

  async namesOf(manager: EntityManager, userId: string): Promise<AccountNames> {
    const emails = await manager.query<{ email: string }[]>(
      `select distinct lower(email) as email from (
         select email from users where id = $1
         union all select pending_email from users where id = $1
         union all select email from credentials where user_id = $1
         union all select email from linked_identities where user_id = $1
         union all select email from email_links where user_id = $1
       ) as known where email is not null order by 1`,
      [userId],
    );
    const identities = await manager.query<AccountNames['identities']>(
      `select provider, subject from linked_identities where user_id = $1
       union select 'wallet', eth_address from users where id = $1 and eth_address is not null order by 1, 2`,
      [userId],
    );
    return { emails: emails.map(({ email }) => email), identities };
  }

  /** Removes what the owner signs in with and what names them. The empty account stays. */
  async removeNames(
    manager: EntityManager,
    userId: string,
    { emails, identities }: AccountNames,
  ): Promise<void> {
    const wallets = identities.filter(({ provider }) => provider === 'wallet').map(({ subject }) => subject);
    for (const table of ['refresh_tokens', 'email_links', 'credentials', 'linked_identities']) {
      await manager.query(`delete from ${table} where user_id = $1`, [userId]);
    }
    await manager.query('delete from reset_requests where lower(email) = any($1)', [emails]);
    await manager.query('delete from key_proven_wallets where address = any($1)', [wallets]);
    await manager.query('delete from connected_wallets where address = any($1)', [wallets]);
    await manager.query(
      `update users set email = null, email_verified = false, pending_email = null, first_name = null, last_name = null,
         display_name = null, user_name = null, bio = null, country = null, profile_image_url = null,
         eth_address = null, wax_address = null
       where id = $1`,
      [userId],
    );
  }

  /** Removes the cookie sessions of browsers in which the account was signed in, a page of the table at a time. */
  async removeBrowsers(userId: string): Promise<void> {
    for (let after: string | null = ''; after !== null;) {
      const [page]: [{ last: string | null }] = await this.dataSource.query(
        `with page as materialized (
           select sid, strpos(sess::text, $1) > 0 as "isOfAccount" from sessions
           where sid > $2 order by sid limit ${browsersRead}
         ), removed as (
           delete from sessions where sid in (select sid from page where "isOfAccount")
         )
         select max(sid) as last from page`,
        [userId, after],
      );
      after = page.last;
    }
  }

  /** Removes rows of the account until few are left. */
  async removeMany(userId: string): Promise<void> {
    for (const statement of batches) {
      for (;;) {
        const [, removed] = (await this.dataSource.query(statement, [userId])) as [unknown, number];
        if (removed < batchRows) break;
      }
    }
  }

  /** Removes the account, and with it every row that refers to it. */
  async removeAccount(manager: EntityManager, userId: string): Promise<void> {
    await manager.query('delete from usage_heads where user_id = $1', [userId]);
    await manager.query('delete from usage_watermarks where user_id = $1', [userId]);
    await manager.query('delete from users where id = $1', [userId]);
  }
}
