import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { holdAccount, holdAccounts, holdEmail } from '../../auth/account.locks.js';
import { AccountChanges } from '../changes/account.changes.js';
import { AccountNotices } from '../mails/account.notices.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { embeddedIssuer } from '../../auth/user.entity.js';
import { Credential } from '../entities/credential.entity.js';
import { passwordMarkSql } from './password.mark.js';

/**
 * The effects of a user confirming a mailbox: by a link that was sent there, or by a provider that vouches for it. An
 * address that was only entered is unconfirmed and yields to a confirmed one.
 */
@Injectable()
export class EmailProof {
  constructor(
    private readonly changes: AccountChanges,
    private readonly notices: AccountNotices,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Inside the caller's transaction: marks the address as verified in this account's profile and for its password,
   * gives it to a profile without an address, and removes every unverified claim of another account on it, with the
   * password that was set for it and the sessions. A verified claim of another account never yields, nor does an
   * account of a hosted identity service (`IDENTITY_URL`) that was used here before.
   */
  async prove(manager: EntityManager, userId: string, email: string): Promise<void> {
    await this.takeFromOthers(manager, userId, email);
    await this.finishChange(manager, userId, email);
    await manager.query(
      `update users set email = coalesce(email, $2), email_verified = true, updated_at = now()
       where id = $1 and (
         (lower(email) = lower($2) and not email_verified)
         or (email is null and not exists (select from users where lower(email) = lower($2))))`,
      [userId, email],
    );
    await manager.query(
      'update credentials set email_verified = true where user_id = $1 and lower(email) = lower($2)',
      [userId, email],
    );
  }

  /**
   * Makes a confirmed address that of the account's profile, instead of any other, and removes the unverified claims of
   * other accounts on it. Returns false, and changes nothing, if another account has confirmed it too.
   */
  async makeContact(manager: EntityManager, userId: string, email: string): Promise<boolean> {
    if (await isConfirmedElsewhere(manager, userId, email)) return false;
    await this.takeFromOthers(manager, userId, email);
    await manager.query(
      `update users set email = $2, email_verified = true, pending_email = null, updated_at = now() where id = $1`,
      [userId, email],
    );
    return true;
  }

  private async takeFromOthers(manager: EntityManager, userId: string, email: string): Promise<void> {
    for (const rival of await this.hold(manager, userId, email)) await this.giveUp(manager, rival, email);
  }

  /** Replaces the profile's address by the one that waited for this proof, and informs the reader of the old one. */
  private async finishChange(manager: EntityManager, userId: string, email: string): Promise<void> {
    const waiting: unknown[] = await manager.query(
      `select from users where id = $1 and lower(pending_email) = lower($2)
         and not exists (select from users other where lower(other.email) = lower($2) and other.id <> $1)`,
      [userId, email],
    );
    if (waiting.length === 0) return;
    await this.notices.contactReplaced(manager, userId);
    await manager.query(
      `update users set email = pending_email, email_verified = true, pending_email = null, updated_at = now()
       where id = $1`,
      [userId],
    );
  }

  /**
   * Locks the address, this account and those that would lose the address, and returns the ids of the latter. Locks all
   * accounts in one order, so that two accounts that each confirm what the other entered do not deadlock: the caller
   * must not already hold an account lock.
   */
  async hold(manager: EntityManager, userId: string, email: string): Promise<string[]> {
    await holdEmail(manager, email);
    const rivals: { id: string }[] = await manager.query(
      `select id from users u where id <> $1 and issuer = $3 and (
         (lower(u.email) = lower($2) and not u.email_verified)
         or lower(u.pending_email) = lower($2)
         or exists (select from credentials c
                    where c.user_id = u.id and lower(c.email) = lower($2) and not c.email_verified))`,
      [userId, email, embeddedIssuer],
    );
    const ids = rivals.map(({ id }) => id);
    await holdAccounts(manager, [userId, ...ids]);
    return ids;
  }

  /** Whether the account has confirmed the address of its password, and it is this one. */
  async isProvenForPassword(manager: EntityManager, userId: string, email: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'select from credentials where user_id = $1 and lower(email) = lower($2) and email_verified',
      [userId, email],
    );
    return rows.length > 0;
  }

  /**
   * Records that somebody who reads this mailbox set the account's current password. With `marks`, does so only if the
   * mark of the password is one of them.
   */
  async vouch(
    manager: EntityManager,
    userId: string,
    email: string,
    marks: readonly string[] | null = null,
  ): Promise<void> {
    await manager.query(
      `update credentials set vouched = true
       where user_id = $1 and lower(email) = lower($2)
         and ($3::text[] is null or ${passwordMarkSql} = any($3))`,
      [userId, email, marks],
    );
  }

  /**
   * Whether the account itself has this address, in its profile or for its password. An address that waits in the
   * profile counts while no other account has confirmed it.
   */
  async isClaimed(manager: EntityManager, userId: string, email: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `select from users u left join credentials c on c.user_id = u.id
       where u.id = $1 and (lower($2) in (lower(u.email), lower(c.email))
         or (lower(u.pending_email) = lower($2) and not exists (
           select from users other where lower(other.email) = lower($2) and other.email_verified)))`,
      [userId, email],
    );
    return rows.length > 0;
  }

  /**
   * Whether the account has the address, or confirmed it by a Google or Apple account that is one of its sign-in
   * methods.
   */
  async isHeld(manager: EntityManager, userId: string, email: string): Promise<boolean> {
    if (await this.isClaimed(manager, userId, email)) return true;
    const rows: unknown[] = await manager.query(
      'select from linked_identities where user_id = $1 and lower(email) = lower($2) and email_verified',
      [userId, email],
    );
    return rows.length > 0;
  }

  /**
   * Removes an unconfirmed address from an account, and with it the password and, if there was one, the sessions.
   * Returns whether there was anything to remove.
   */
  async giveUp(manager: EntityManager, userId: string, email: string): Promise<boolean> {
    await holdEmail(manager, email);
    await holdAccount(manager, userId);
    const [, named]: [unknown[], number] = await manager.query(
      `update users set updated_at = now(),
         email = case when lower(email) = lower($2) and not email_verified then null else email end,
         pending_email = case when lower(pending_email) = lower($2) then null else pending_email end
       where id = $1 and ((lower(email) = lower($2) and not email_verified) or lower(pending_email) = lower($2))`,
      [userId, email],
    );
    const { affected } = await manager
      .createQueryBuilder()
      .delete()
      .from(Credential)
      .where('user_id = :userId and lower(email) = lower(:email) and not email_verified', { userId, email })
      .execute();
    if (affected) {
      await this.sessions.endAll(userId, manager);
      const method = { provider: 'email', label: email } as const;
      await this.changes.note(manager, userId, { kind: 'methodLost', method });
    }
    return named > 0 || Boolean(affected);
  }
}

/** Whether an account other than this one has confirmed the address, for its profile or its password. */
async function isConfirmedElsewhere(manager: EntityManager, userId: string, email: string): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    `select from users where lower(email) = lower($2) and email_verified and id <> $1
     union all select from credentials where lower(email) = lower($2) and email_verified and user_id <> $1`,
    [userId, email],
  );
  return rows.length > 0;
}
