import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { afterRollback } from '../../database/after.commit.js';
import { newId } from '../../database/new.id.js';
import { PortalError } from '../../http/portal.error.js';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { takeIfLeft } from '../limits/take.if.left.js';
import { SignInLimits } from '../limits/sign-in.limits.js';
import { confirmMail, resetMail } from './email.mails.js';

export type LinkPurpose = 'confirm' | 'reset' | 'restore';

/** The account of a link, and the mailbox that the holder of the link can read. */
export interface LinkHolder {
  userId: string;
  email: string;
}

export type LinkRead = LinkHolder & { sentAt: Date };

const kinds = {
  confirm: { path: '/api/v1/auth/email/confirm', seconds: limits.confirmLinkSeconds },
  reset: { path: '/api/v1/auth/email/password', seconds: limits.resetLinkSeconds },
  restore: { path: '/api/v1/auth/email/restore', seconds: limits.restoreLinkSeconds },
};
const mails = {
  confirm: { write: confirmMail, until: 'deleted' },
  // It may be what the owner of a deleted account needs to sign in and keep it.
  reset: { write: resetMail, until: 'removed' },
} as const;

const holderColumns = 'user_id as "userId", email, created_at as "sentAt"';
const unused = 'used_at is null and expires_at > now()';

/**
 * Links that confirm a mailbox: 256 random bits, stored as their SHA-256 (random bits need no slower hash), valid once
 * and for a limited time. Their URL depends only on the configuration. Opening one changes nothing, because mail
 * scanners open links too.
 */
@Injectable()
export class EmailLinks {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outbox: MailOutbox,
    private readonly signInLimits: SignInLimits,
  ) {}

  /**
   * Creates a link and queues the email that contains it, both in the caller's transaction. Counts it for `client`, the
   * address of the requester. Throws `request.rateLimited`.
   */
  async sendConfirmation(manager: EntityManager, holder: LinkHolder, client: string): Promise<void> {
    // Counted before the commit, or concurrent requests could exceed the limit; an uncommitted email is never sent.
    afterRollback(manager, this.signInLimits.confirmation(client, holder.email));
    await this.write(manager, 'confirm', holder);
  }

  /**
   * Like `sendConfirmation`, as part of a change that also succeeds without the email: sends nothing if the client, the
   * mailbox, or a name in `countedFor` is over its limit. The user can request it in Settings.
   */
  async offerConfirmation(
    manager: EntityManager,
    holder: LinkHolder,
    { client, countedFor = [] }: { client: string; countedFor?: readonly string[] },
  ): Promise<void> {
    const isLeft = takeIfLeft(manager, () =>
      this.signInLimits.confirmation(client, holder.email, countedFor),
    );
    if (isLeft) await this.write(manager, 'confirm', holder);
  }

  /**
   * Creates and queues a reset link, which was counted when the user requested it. Skips an unconfirmed address if its
   * mailbox is over the limit: otherwise accounts under many tags of the mailbox could flood it.
   */
  async sendReset(manager: EntityManager, holder: LinkHolder & { emailVerified: boolean }): Promise<void> {
    const isLeft =
      holder.emailVerified || takeIfLeft(manager, () => this.signInLimits.unprovenReset(holder.email));
    if (isLeft) await this.write(manager, 'reset', holder);
  }

  private async write(
    manager: EntityManager,
    purpose: keyof typeof mails,
    holder: LinkHolder,
  ): Promise<void> {
    const { email, userId } = holder;
    const { write, until } = mails[purpose];
    const { href, expiresAt } = await this.create(manager, purpose, holder);
    const account = { userId, until };
    await this.outbox.put(manager, { to: email, ...write({ email, href }), account, expiresAt });
  }

  /** Creates a link without sending it. */
  async create(
    manager: EntityManager,
    purpose: LinkPurpose,
    { userId, email }: LinkHolder,
  ): Promise<{ href: string; expiresAt: Date }> {
    const { path, seconds } = kinds[purpose];
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + seconds * 1000);
    await manager.query('delete from email_links where expires_at <= now()');
    await manager.query(
      `insert into email_links (id, token_hash, purpose, user_id, email, expires_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [newId(), hashOf(token), purpose, userId, email, expiresAt],
    );
    return { href: `${this.environment.PUBLIC_URL}${path}?token=${token}`, expiresAt };
  }

  /** The account of this link, without consuming the link. Throws `auth.linkInvalid`. */
  async read(manager: EntityManager, purpose: LinkPurpose, token: unknown): Promise<LinkRead> {
    return holderIn(
      isToken(token)
        ? await manager.query(
            `select ${holderColumns} from email_links where token_hash = $1 and purpose = $2 and ${unused}`,
            [hashOf(token), purpose],
          )
        : [],
    );
  }

  /**
   * Consumes the link, in the caller's transaction: of concurrent calls exactly one succeeds. Throws
   * `auth.linkInvalid`.
   */
  async use(manager: EntityManager, purpose: LinkPurpose, token: unknown): Promise<LinkRead> {
    if (!isToken(token)) return holderIn([]);
    const [rows] = (await manager.query(
      `update email_links set used_at = now() where token_hash = $1 and purpose = $2 and ${unused}
       returning ${holderColumns}`,
      [hashOf(token), purpose],
    )) as [LinkRead[], number];
    return holderIn(rows);
  }

  /** Consumes every open link of the account for this purpose, or those that were created after `since`. */
  async endAll(
    manager: EntityManager,
    purpose: LinkPurpose,
    userId: string,
    since: Date | null = null,
  ): Promise<void> {
    await manager.query(
      `update email_links set used_at = now()
       where user_id = $1 and purpose = $2 and used_at is null and ($3::timestamptz is null or created_at > $3)`,
      [userId, purpose, since],
    );
  }
}

const isToken = (token: unknown): token is string => typeof token === 'string' && /^[\w-]{43}$/.test(token);
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

function holderIn(rows: LinkRead[]): LinkRead {
  const [holder] = rows;
  if (!holder) throw new PortalError('auth.linkInvalid');
  return holder;
}
