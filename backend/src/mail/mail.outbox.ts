import { Inject, Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { isDeleted } from '../auth/deleted.accounts.js';
import { servesMailbox } from '../config/environment.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { afterCommit } from '../database/after.commit.js';
import { newId } from '../database/new.id.js';
import { PortalError } from '../http/portal.error.js';
import type { SealedTable } from '../secrets/secret.rotation.js';
import { SecretsService } from '../secrets/secrets.service.js';

/** An email: one recipient, and the same content as text and as HTML. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Ends such email when posted to (RFC 8058). */
  unsubscribe?: string;
  /**
   * The account that the email is of no use without. It is not sent once the owner has deleted the account, or with
   * `until: 'removed'` once its rows are gone. A warning has none: whoever stole the account may delete it.
   */
  account?: { userId: string; until: 'deleted' | 'removed' };
}

/** A waiting email. */
export interface KeptMail extends Mail {
  id: string;
  createdAt: Date;
}

const store = 'mail.store';

/** How waiting emails are re-encrypted when the master secret is rotated. */
export const sealedMails: SealedTable = {
  table: 'outgoing_mails',
  sealed: { column: 'sealed', purpose: store },
};

/**
 * Outgoing email. It is written in the transaction of the change that it announces, so that neither happens without the
 * other, and encrypted, so that no link in it can be read from the database. `MailSender` sends it; without `SMTP_URL`,
 * outside production, it stays here to be read at `/dev/mailbox`.
 */
@Injectable()
export class MailOutbox {
  private readonly listeners = new Set<() => void>();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly secrets: SecretsService,
    private readonly dataSource: DataSource,
  ) {}

  /** Whether email reaches anyone: over SMTP, or in the mailbox of local mode. */
  get isConfigured(): boolean {
    return this.environment.SMTP_URL !== undefined || servesMailbox(this.environment);
  }

  /** Throws `auth.mailNotConfigured` if email would reach nobody. */
  requireConfigured(): void {
    if (!this.isConfigured) throw new PortalError('auth.mailNotConfigured');
  }

  /** Queues an email to be sent once the transaction of this manager has committed; drops it after `expiresAt`. */
  async put(manager: EntityManager, { expiresAt, ...mail }: Mail & { expiresAt: Date }): Promise<void> {
    const id = newId();
    const { bytes, version } = this.secrets.seal(store, JSON.stringify(mail), id);
    await manager.query(
      'insert into outgoing_mails (id, sealed, secret_version, expires_at) values ($1, $2, $3, $4)',
      [id, bytes, version, expiresAt],
    );
    afterCommit(manager, () => this.listeners.forEach((listener) => listener()));
  }

  /** Calls `listener` for every email queued by this process. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Decrypts a queued email. Throws if the row was altered or its secret is not configured. */
  open({ id, sealed, version }: { id: string; sealed: Buffer; version: number }): Mail {
    return JSON.parse(this.secrets.open(store, { bytes: sealed, version }, id)) as Mail;
  }

  /** Whether the account that the email is for still is what the email needs. */
  async isWanted({ account }: Mail): Promise<boolean> {
    if (account === undefined) return true;
    const [row] = await this.dataSource.query<{ isDeleted: boolean }[]>(
      `select ${isDeleted('users.id')} as "isDeleted" from users where id = $1`,
      [account.userId],
    );
    return row !== undefined && (account.until === 'removed' || !row.isDeleted);
  }

  /** The waiting, unexpired emails, newest first, at most `most`. */
  async list(most: number): Promise<KeptMail[]> {
    const rows: { id: string; sealed: Buffer; version: number; createdAt: Date }[] =
      await this.dataSource.query(
        `select id, sealed, secret_version as version, created_at as "createdAt" from outgoing_mails
         where expires_at > now() order by created_at desc, id desc limit $1`,
        [most],
      );
    return rows.map((row) => ({ id: row.id, createdAt: row.createdAt, ...this.open(row) }));
  }
}
