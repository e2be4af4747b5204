import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { afterRollback } from '../database/after.commit.js';
import { PortalError } from '../http/portal.error.js';
import { MailOutbox } from '../mail/mail.outbox.js';
import { methodChangedMail, NoticeWords, passwordChangedMail } from './email/email.mails.js';
import { SignInLimits } from './sign-in.limits.js';

/** News of three days ago warns nobody any more. */
const keptMs = 3 * 86_400_000;

/**
 * Mails that tell an account's owner what was done to it, put in the transaction that does it. They hold no link that
 * does anything. An address gets five of each kind in an hour; where no mail is sent, nothing is put.
 */
@Injectable()
export class AccountNotices {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outbox: MailOutbox,
    private readonly signInLimits: SignInLimits,
  ) {}

  /** To the address that the password belongs to. `by`: knowing the one before, or a link sent to the mailbox. */
  async passwordChanged(manager: EntityManager, email: string, by: 'change' | 'link'): Promise<void> {
    await this.put(manager, 'password', email, (words) => passwordChangedMail({ ...words, by }));
  }

  /** To the proven address of the account, if it has one. Call it while that is still the account's. */
  async methodChanged(
    manager: EntityManager,
    userId: string,
    change: { deed: 'added' | 'removed'; method: string },
  ): Promise<void> {
    const [{ email }] = (await manager.query(
      `select coalesce((select email from credentials where user_id = $1 and email_verified),
                       (select email from users where id = $1 and email_verified)) as email`,
      [userId],
    )) as [{ email: string | null }];
    if (email === null) return;
    await this.put(manager, 'methods', email, (words) => methodChangedMail({ ...words, ...change }));
  }

  private async put(
    manager: EntityManager,
    kind: string,
    email: string,
    write: (words: NoticeWords) => ReturnType<typeof passwordChangedMail>,
  ): Promise<void> {
    if (!this.outbox.isConfigured || !this.count(manager, `${kind}:${email}`)) return;
    const at = new Date();
    const mail = write({ email, at, href: `${this.environment.PUBLIC_URL}/login` });
    await this.outbox.put(manager, { to: email, ...mail, expiresAt: new Date(at.getTime() + keptMs) });
  }

  private count(manager: EntityManager, name: string): boolean {
    try {
      afterRollback(manager, this.signInLimits.notice(name));
      return true;
    } catch (error) {
      if (error instanceof PortalError && error.code === 'request.rateLimited') return false;
      throw error;
    }
  }
}
