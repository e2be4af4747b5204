import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { type Mail, MailOutbox } from '../../mail/mail.outbox.js';
import { EmailLinks } from './email.links.js';
import {
  accountDeletedMail,
  accountKeptMail,
  archiveReadyMail,
  contactAskedMail,
  contactReplacedMail,
  methodChangedMail,
  newAccountMail,
  NoticeDetails,
  passwordChangedMail,
} from './email.mails.js';
import { linkedAccountsAddress } from './linked.accounts.address.js';
import { takeIfLeft } from '../limits/take.if.left.js';
import { SignInLimits } from '../limits/sign-in.limits.js';

type Words = ReturnType<typeof passwordChangedMail> & Pick<Mail, 'account'>;

/** After three days a warning comes too late. */
const keptMs = 3 * 86_400_000;

/**
 * Emails that inform an account's owner of changes, queued in the transaction of the change. Their links change
 * nothing. An address gets five of each kind an hour; if email is not configured, nothing is queued.
 */
@Injectable()
export class AccountNotices {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly links: EmailLinks,
    private readonly outbox: MailOutbox,
    private readonly signInLimits: SignInLimits,
  ) {}

  /**
   * To the address of the password. `by`: with the previous password, or with a link sent to the mailbox, which
   * confirms it. An unconfirmed address may belong to a stranger and gets no email.
   */
  async passwordChanged(
    manager: EntityManager,
    email: string,
    change: { by: 'change' | 'link'; endedKeys?: number },
  ): Promise<void> {
    if (change.by === 'change' && !(await isProven(manager, email))) return;
    await this.put(manager, 'password', email, (words) => passwordChangedMail({ ...words, ...change }));
  }

  /** To the address of an account that a reset created; counted together with changed passwords. */
  async accountCreated(manager: EntityManager, email: string): Promise<void> {
    await this.put(manager, 'password', email, newAccountMail);
  }

  /**
   * To every confirmed address of the account: of its password, its Google and Apple accounts and its profile. An
   * attacker with a stolen session can change only the last. Call it while the addresses still belong to the account.
   */
  async methodChanged(
    manager: EntityManager,
    userId: string,
    change: { action: 'added' | 'removed'; method: string },
  ): Promise<void> {
    const href = linkedAccountsAddress(this.environment.PUBLIC_URL);
    for (const email of await this.addressesOf(manager, userId)) {
      await this.put(manager, 'methods', email, (words) => methodChangedMail({ ...words, ...change, href }));
    }
  }

  /** To the same addresses. */
  async accountDeleted(manager: EntityManager, userId: string, dueAt: Date): Promise<void> {
    for (const email of await this.addressesOf(manager, userId)) {
      await this.put(manager, 'deletion', email, (words) => accountDeletedMail({ ...words, dueAt }));
    }
  }

  /** To the same addresses. */
  async accountKept(manager: EntityManager, userId: string): Promise<void> {
    for (const email of await this.addressesOf(manager, userId)) {
      await this.put(manager, 'deletion', email, accountKeptMail);
    }
  }

  /** To the same addresses. The email has no part of the data, which takes a sign-in. */
  async archiveReady(manager: EntityManager, userId: string): Promise<void> {
    const href = `${this.environment.PUBLIC_URL}/settings`;
    for (const email of await this.addressesOf(manager, userId)) {
      await this.put(manager, 'archive', email, (words) => ({
        ...archiveReadyMail({ ...words, href }),
        account: { userId, until: 'deleted' },
      }));
    }
  }

  private async addressesOf(manager: EntityManager, userId: string): Promise<string[]> {
    const addresses: { email: string }[] = await manager.query(
      `select distinct on (lower(email)) email from (
         select email from credentials where user_id = $1 and email_verified
         union all select email from linked_identities where user_id = $1 and email_verified
         union all select email from users where id = $1 and email_verified
       ) as proven where email is not null order by lower(email)`,
      [userId],
    );
    return addresses.map(({ email }) => email);
  }

  /** To the profile's address, if it is confirmed: another one replaces it once that is confirmed. */
  async contactAsked(manager: EntityManager, userId: string): Promise<void> {
    const email = await provenContactOf(manager, userId);
    if (email === null) return;
    await this.put(manager, 'contactAsked', email, async (words) =>
      contactAskedMail({ ...words, undo: await this.undoLink(manager, userId, email) }),
    );
  }

  /**
   * To the profile's address that is about to be replaced, if it was confirmed. Call it before the change, with the
   * account locked. `isFinal` if the reader of that address must not undo it.
   */
  async contactReplaced(manager: EntityManager, userId: string, { isFinal = false } = {}): Promise<void> {
    const email = await provenContactOf(manager, userId);
    if (email === null) return;
    await this.put(manager, 'contact', email, async (words) =>
      contactReplacedMail({
        ...words,
        undo: isFinal ? null : await this.undoLink(manager, userId, email),
      }),
    );
  }

  private async undoLink(manager: EntityManager, userId: string, email: string): Promise<string> {
    return (await this.links.create(manager, 'restore', { userId, email })).href;
  }

  private async put(
    manager: EntityManager,
    kind: string,
    email: string,
    write: (words: NoticeDetails) => Words | Promise<Words>,
  ): Promise<void> {
    if (!this.outbox.isConfigured || !takeIfLeft(manager, () => this.signInLimits.notice(kind, email)))
      return;
    const at = new Date();
    const mail = await write({ email, at, href: `${this.environment.PUBLIC_URL}/login` });
    await this.outbox.put(manager, { to: email, ...mail, expiresAt: new Date(at.getTime() + keptMs) });
  }
}

async function isProven(manager: EntityManager, email: string): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    'select from credentials where lower(email) = lower($1) and email_verified',
    [email],
  );
  return rows.length > 0;
}

async function provenContactOf(manager: EntityManager, userId: string): Promise<string | null> {
  const [row] = (await manager.query(
    'select email from users where id = $1 and email is not null and email_verified',
    [userId],
  )) as { email: string }[];
  return row?.email ?? null;
}
