import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { LoginResult } from '@orange-id/contract/identity.schema';
import { DataSource, EntityManager, Repository } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { PortalError } from '../../http/portal.error.js';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { holdAccount, holdEmail } from '../../auth/account.locks.js';
import { AccountNotices } from '../mails/account.notices.js';
import { AccountChanges } from '../changes/account.changes.js';
import { Credential } from '../entities/credential.entity.js';
import { EmailLinks, LinkHolder } from '../mails/email.links.js';
import { EmailProof } from './email.proof.js';
import { PasswordHasher } from './password.hasher.js';
import { passwordMark } from './password.mark.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { embeddedIssuer, User } from '../../auth/user.entity.js';

/** A session with a newly set password, and the mark of that password. */
export interface PasswordSet {
  result: LoginResult;
  mark: string;
}

/** What a link has confirmed: the profile's address, that address while another one waits, or only that of the password. */
export interface Confirmed {
  email: string;
  use: 'profile' | 'untilReplaced' | 'signIn';
}

/** Accounts with an email address and a password. */
@Injectable()
export class EmailService {
  constructor(
    @InjectRepository(Credential) private readonly credentials: Repository<Credential>,
    private readonly changes: AccountChanges,
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly links: EmailLinks,
    private readonly notices: AccountNotices,
    private readonly outbox: MailOutbox,
    private readonly proof: EmailProof,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Creates an account, sends a link to confirm the address, and signs in at once. The address counts as unverified,
   * and the account has no name. If another user's profile has the address unconfirmed, this account gets it by
   * confirming it. Throws `auth.emailTaken` (for all but one of concurrent requests), `auth.mailNotConfigured` and
   * `auth.passwordCommon`.
   */
  async register(
    email: string,
    password: string,
    client: SignInClient & { address: string },
  ): Promise<PasswordSet> {
    this.outbox.requireConfigured();
    const passwordHash = await this.hasher.hash(password);
    const id = newId();
    await this.dataSource.transaction(async (manager) => {
      await holdEmail(manager, email);
      const isNamed = await manager
        .createQueryBuilder(User, 'user')
        .where('lower(user.email) = lower(:email)', { email })
        .getExists();
      await manager.insert(User, {
        id,
        issuer: embeddedIssuer,
        subject: id,
        email: isNamed ? null : email,
        provider: 'email',
      });
      await this.claim(manager, { userId: id, email, passwordHash }, client.address);
    });
    const result = await this.sessions.begin(id, 'email', client, { passwordHash });
    return { result, mark: passwordMark(passwordHash) };
  }

  /**
   * Gives an account an address and a password to sign in with, in the caller's transaction, which holds the address
   * (`holdEmail`), and sends the link that confirms the address unless the account has confirmed it already; `client` is
   * the address of the requester. Throws `auth.emailTaken` if another user signs in with the address or has confirmed it.
   */
  async claim(
    manager: EntityManager,
    { userId, email, passwordHash }: LinkHolder & { passwordHash: string },
    client: string,
  ): Promise<void> {
    const [{ isTaken, emailVerified }] = (await manager.query(
      `select exists (select from credentials where lower(email) = lower($2))
           or exists (select from users where lower(email) = lower($2) and email_verified and id <> $1) as "isTaken",
         exists (select from users where lower(email) = lower($2) and email_verified and id = $1) as "emailVerified"`,
      [userId, email],
    )) as [{ isTaken: boolean; emailVerified: boolean }];
    if (isTaken) throw new PortalError('auth.emailTaken');
    await manager.insert(Credential, { userId, email, emailVerified, passwordHash });
    if (!emailVerified) await this.links.offerConfirmation(manager, { userId, email }, { client });
  }

  /** Throws `auth.credentialsInvalid`, after the same work whether the account exists or not. */
  async login(email: string, password: string, client: SignInClient): Promise<LoginResult> {
    const credential = await this.credentials
      .createQueryBuilder('credential')
      .where('lower(credential.email) = lower(:email)', { email })
      .getOne();
    const passwordHash = credential?.passwordHash ?? null;
    const isRight = await this.hasher.verify(passwordHash, password);
    if (!credential || passwordHash === null || !isRight) throw new PortalError('auth.credentialsInvalid');
    return this.sessions.begin(credential.userId, 'email', client, { passwordHash });
  }

  /**
   * The address this account signs in with. Throws `auth.methodNotFound` if it has no password, with `next` as the
   * advice in its message.
   */
  async addressOf(userId: string, next?: string): Promise<string> {
    return (await this.credentialOf(userId, next)).email;
  }

  /** Requires the password of this account. Throws `auth.passwordWrong`, and `auth.methodNotFound` if it has none. */
  async requirePassword(userId: string, password: string): Promise<Credential> {
    const credential = await this.credentialOf(userId);
    if (!(await this.hasher.verify(credential.passwordHash, password)))
      throw new PortalError('auth.passwordWrong');
    return credential;
  }

  /**
   * Replaces the password, ends every session of the account and returns the tokens of a new one. Open reset links stay
   * valid: somebody else may know the password, but only the owner reads the mailbox. The password still counts as set
   * by the reader of the mailbox only if the previous one is among `setHere`, the marks of the passwords set in this
   * browser. Throws `auth.passwordWrong`, `auth.passwordCommon` and `auth.methodNotFound`.
   */
  async changePassword(
    userId: string,
    { currentPassword, password }: { currentPassword: string; password: string },
    setHere: readonly string[],
    client: SignInClient,
  ): Promise<PasswordSet> {
    const { email, passwordHash: before } = await this.requirePassword(userId, currentPassword);
    const passwordHash = await this.hasher.hash(password);
    await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      const isSameSetter = setHere.includes(passwordMark(before));
      const { affected } = await manager.update(
        Credential,
        // If another change came first, the password that was checked is no longer the current one.
        { userId, passwordHash: before },
        { passwordHash, changedAt: () => 'now()', ...(isSameSetter ? {} : { vouched: false }) },
      );
      if (!affected) throw new PortalError('auth.passwordWrong');
      await this.notices.passwordChanged(manager, email, { by: 'change' });
      await this.changes.note(manager, userId, { kind: 'passwordChanged', userAgent: client.userAgent });
      await this.sessions.endAll(userId, manager);
    });
    const result = await this.sessions.begin(userId, 'email', client, { passwordHash });
    return { result, mark: passwordMark(passwordHash) };
  }

  /**
   * Sends a link to each unconfirmed address of the account, and returns their number. Throws `request.rateLimited`.
   */
  async confirmAgain(userId: string, client: string): Promise<number> {
    const sentTo = await this.dataSource.transaction((manager) =>
      this.sendConfirmations(manager, userId, client),
    );
    return sentTo.length;
  }

  /** The same in the caller's transaction; returns the addresses. */
  async sendConfirmations(manager: EntityManager, userId: string, client: string): Promise<string[]> {
    this.outbox.requireConfigured();
    const addresses = await this.unprovenOf(manager, userId);
    for (const email of addresses) {
      await this.links.sendConfirmation(manager, { userId, email }, client);
    }
    return addresses;
  }

  /** The unconfirmed addresses of the account: of the profile, of the password, or both. */
  private async unprovenOf(manager: EntityManager, userId: string): Promise<string[]> {
    const rows: { email: string }[] = await manager.query(
      `select distinct on (lower(email)) email from (
         select email from users where id = $1 and email is not null and not email_verified
         union all select pending_email from users where id = $1 and pending_email is not null
         union all select email from credentials where user_id = $1 and not email_verified
       ) as unproven order by lower(email)`,
      [userId],
    );
    return rows.map(({ email }) => email);
  }

  /** The address and account of a confirmation link, without consuming the link. Throws `auth.linkInvalid`. */
  async readConfirmation(token: unknown): Promise<LinkHolder & { madeAt: Date }> {
    const { manager } = this.dataSource;
    const holder = await this.links.read(manager, 'confirm', token);
    await this.requireClaim(manager, holder);
    const { createdAt } = await manager.findOneByOrFail(User, { id: holder.userId });
    return { ...holder, madeAt: createdAt };
  }

  /**
   * Confirms that the mailbox belongs to the account. `setHere` are the marks of the passwords set in this browser: the
   * reader of the mailbox chose the account's password only if its mark is among them. `check` runs with the account
   * locked, and stops the confirmation by throwing. Returns the address and what it is now; throws `auth.linkInvalid`.
   */
  confirm(
    token: unknown,
    {
      setHere,
      check,
    }: { setHere: readonly string[]; check(manager: EntityManager, holder: LinkHolder): Promise<void> },
  ): Promise<Confirmed> {
    return this.settle(token, async (manager, holder) => {
      await check(manager, holder);
      await this.proof.prove(manager, holder.userId, holder.email);
      await this.proof.vouch(manager, holder.userId, holder.email, setHere);
      return { email: holder.email, use: await this.useOf(manager, holder) };
    });
  }

  private async useOf(manager: EntityManager, { userId, email }: LinkHolder): Promise<Confirmed['use']> {
    const user = await manager.findOneByOrFail(User, { id: userId });
    if (user.email?.toLowerCase() !== email.toLowerCase()) return 'signIn';
    return user.pendingEmail === null ? 'profile' : 'untilReplaced';
  }

  /** The reader of the mailbox disowns the account: it loses the address. Throws `auth.linkInvalid`. */
  rejectAccount(token: unknown): Promise<string> {
    return this.settle(token, async (manager, { userId, email }) => {
      // If another link has confirmed the address in the meantime, the account keeps it.
      if (!(await this.proof.giveUp(manager, userId, email))) throw new PortalError('auth.linkInvalid');
      return email;
    });
  }

  /**
   * Whether this account has the address: in its profile, for its password, or through a linked Google or Apple
   * account.
   */
  isHeld(userId: string, email: string, manager = this.dataSource.manager): Promise<boolean> {
    return this.proof.isHeld(manager, userId, email);
  }

  private settle<Result>(
    token: unknown,
    act: (manager: EntityManager, holder: LinkHolder) => Promise<Result>,
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const { userId, email } = await this.links.read(manager, 'confirm', token);
      await this.proof.hold(manager, userId, email);
      const holder = await this.links.use(manager, 'confirm', token);
      await this.requireClaim(manager, holder);
      return act(manager, holder);
    });
  }

  /** The account may have another address, or have lost this one, since the link was sent. */
  private async requireClaim(manager: EntityManager, { userId, email }: LinkHolder): Promise<void> {
    if (!(await this.proof.isClaimed(manager, userId, email))) throw new PortalError('auth.linkOutdated');
  }

  /** The address that a link restores, without consuming the link. Throws `auth.linkInvalid`. */
  async readRestore(token: unknown): Promise<string> {
    return (await this.links.read(this.dataSource.manager, 'restore', token)).email;
  }

  /**
   * The reader of a confirmed address undoes its replacement: the account's profile has it again, every session ends,
   * and links that restore an address which came later end too. Throws `auth.linkInvalid`, and `auth.linkOutdated` if
   * another account has confirmed the address.
   */
  restore(token: unknown): Promise<string> {
    return this.dataSource.transaction(async (manager) => {
      const { userId, email } = await this.links.read(manager, 'restore', token);
      await this.proof.hold(manager, userId, email);
      const { sentAt } = await this.links.use(manager, 'restore', token);
      if (!(await this.proof.makeContact(manager, userId, email))) throw new PortalError('auth.linkOutdated');
      await this.links.endAll(manager, 'restore', userId, sentAt);
      await this.sessions.endAll(userId, manager);
      await this.changes.note(manager, userId, { kind: 'signedOutEverywhere' });
      return email;
    });
  }

  private async credentialOf(
    userId: string,
    next = 'Add email as a sign-in method first',
  ): Promise<Credential> {
    const credential = await this.credentials.findOneBy({ userId });
    if (!credential) {
      throw new PortalError('auth.methodNotFound', {
        message: `Your account has no password. ${next}`,
      });
    }
    return credential;
  }
}
