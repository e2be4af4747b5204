import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import type { LoginResult } from '@orange-id/contract/identity.schema';
import { DataSource, EntityManager } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { JobLogger } from '../../jobs/job.logger.js';
import { PortalError } from '../../http/portal.error.js';
import { KeyRevocations } from '../../keys/key.revocations.js';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { WakingLoop } from '../../mail/waking.loop.js';
import { AccountNotices } from '../mails/account.notices.js';
import { AccountChanges } from '../changes/account.changes.js';
import { LinkedIdentity } from '../entities/linked-identity.entity.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { embeddedIssuer, User } from '../../auth/user.entity.js';
import { Credential } from '../entities/credential.entity.js';
import { EmailLinks, LinkHolder } from '../mails/email.links.js';
import { EmailProof } from './email.proof.js';
import { PasswordHasher } from './password.hasher.js';

/** Requests that an instance accepted but did not finish are retried after this long. */
const lookAgainMs = 30_000;

/**
 * Password resets. Before the response a request is only stored, which is the same work for a known and an unknown
 * address; the look-up runs afterwards.
 */
@Injectable()
export class PasswordResets implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new WakingLoop(
    new JobLogger('Password resets', 'reset-links'),
    'Sending a reset link',
    () => this.workOff(),
  );

  constructor(
    private readonly changes: AccountChanges,
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly keys: KeyRevocations,
    private readonly links: EmailLinks,
    private readonly notices: AccountNotices,
    private readonly outbox: MailOutbox,
    private readonly proof: EmailProof,
    private readonly sessions: SessionsService,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Sends a link to this address if an account signs in with it. Throws `auth.mailNotConfigured`. */
  async request(email: string): Promise<void> {
    this.outbox.requireConfigured();
    await this.dataSource.query('insert into reset_requests (id, email) values ($1, $2)', [newId(), email]);
    // After the response, so that its timing does not reveal the result.
    setImmediate(() => this.loop.wake());
  }

  /** The address of a reset link, without consuming the link. Throws `auth.linkInvalid`. */
  async read(token: unknown): Promise<string> {
    return (await this.holderOf(token)).email;
  }

  /**
   * Sets the password, which confirms the mailbox, and ends every existing session. If the address was never confirmed
   * and its account has another sign-in method, the account loses the address, and a new account is created for it: a
   * user who only entered the address keeps no access to what belongs to its owner, and nobody loses an account they
   * can sign in to by other means. If the address was never confirmed and the account stays, anyone may have created
   * it: revokes its keys, and removes any other address from its profile. Returns the account that has the password
   * now, whether it `isNew`, and how many keys were revoked (`endedKeys`) and still work although others may know them
   * (`keptKeys`). Throws `auth.linkInvalid` and, leaving the link valid, `auth.passwordCommon`.
   */
  async finish(
    token: unknown,
    password: string,
    userAgent?: string,
  ): Promise<LinkHolder & { passwordHash: string; isNew: boolean; endedKeys: number; keptKeys: number }> {
    const { userId, email } = await this.holderOf(token);
    const passwordHash = await this.hasher.hash(password);
    return this.dataSource.transaction(async (manager) => {
      // Prevents linking a method between this check and the end of the sessions.
      await this.proof.hold(manager, userId, email);
      await this.links.use(manager, 'reset', token);
      const { emailVerified } = await this.credentialOf(manager, userId, email);
      await this.links.endAll(manager, 'reset', userId);
      if (!emailVerified && (await manager.existsBy(LinkedIdentity, { userId }))) {
        await this.proof.giveUp(manager, userId, email);
        await this.notices.accountCreated(manager, email);
        const ownId = await this.moveOut(manager, email, passwordHash);
        return { userId: ownId, email, passwordHash, isNew: true, endedKeys: 0, keptKeys: 0 };
      }
      await manager.update(Credential, { userId }, { passwordHash, changedAt: () => 'now()' });
      if (!emailVerified) await this.dropOtherAddress(manager, userId, email);
      // Whoever else was signed in may have entered it.
      await manager.query(
        'update users set pending_email = null where id = $1 and lower(pending_email) <> lower($2)',
        [userId, email],
      );
      await this.proof.prove(manager, userId, email);
      await this.proof.vouch(manager, userId, email);
      await this.sessions.endAll(userId, manager);
      const endedKeys = emailVerified ? 0 : await this.keys.endAll(manager, userId);
      const keptKeys = await this.countKeptKeys(manager, userId);
      await this.notices.passwordChanged(manager, email, { by: 'link', endedKeys });
      await this.changes.note(manager, userId, { kind: 'passwordReset', userAgent });
      return { userId, email, passwordHash, isNew: false, endedKeys, keptKeys };
    });
  }

  /** The same, and signs in. */
  async finishAndSignIn(
    token: unknown,
    password: string,
    client: SignInClient,
  ): Promise<{ email: string; result: LoginResult; passwordHash: string }> {
    const { userId, email, passwordHash } = await this.finish(token, password, client.userAgent);
    const result = await this.sessions.begin(userId, 'email', client, { passwordHash });
    return { email, result, passwordHash };
  }

  /** Number of working API keys of the account that this transaction did not create. */
  private async countKeptKeys(manager: EntityManager, userId: string): Promise<number> {
    const [{ count }] = (await manager.query(
      'select count(*)::int as count from api_keys where user_id = $1 and is_active and created_at < now()',
      [userId],
    )) as [{ count: number }];
    return count;
  }

  /**
   * If anyone may have created the account, removes any other address from its profile: its creator may have confirmed
   * that address, or be about to, and would receive the owner's email.
   */
  private async dropOtherAddress(manager: EntityManager, userId: string, email: string): Promise<void> {
    await this.links.endAll(manager, 'restore', userId);
    const isOther = 'id = $1 and lower(email) <> lower($2)';
    const others: unknown[] = await manager.query(`select from users where ${isOther}`, [userId, email]);
    if (others.length === 0) return;
    await this.notices.contactReplaced(manager, userId, { isFinal: true });
    await manager.query(
      `update users set email = null, email_verified = false, updated_at = now() where ${isOther}`,
      [userId, email],
    );
  }

  /** A new account for the user who confirmed the mailbox. */
  private async moveOut(manager: EntityManager, email: string, passwordHash: string): Promise<string> {
    const id = newId();
    await manager.insert(User, { id, issuer: embeddedIssuer, subject: id, email: null, provider: 'email' });
    await manager.insert(Credential, { userId: id, email, passwordHash, vouched: true });
    await this.proof.prove(manager, id, email);
    return id;
  }

  private async holderOf(token: unknown): Promise<LinkHolder> {
    const { manager } = this.dataSource;
    const holder = await this.links.read(manager, 'reset', token);
    await this.credentialOf(manager, holder.userId, holder.email);
    return holder;
  }

  /** The stored password that this link resets. The link's address may have passed to another account since. */
  private async credentialOf(manager: EntityManager, userId: string, email: string): Promise<Credential> {
    const credential = await manager
      .createQueryBuilder(Credential, 'credential')
      .where('credential.userId = :userId and lower(credential.email) = lower(:email)', { userId, email })
      .getOne();
    if (!credential) throw new PortalError('auth.linkInvalid');
    return credential;
  }

  /** Returns the delay before the next run, in milliseconds. */
  private async workOff(): Promise<number> {
    while (await this.dataSource.transaction((manager) => this.workOffOne(manager)));
    return lookAgainMs;
  }

  private async workOffOne(manager: EntityManager): Promise<boolean> {
    const [[request]] = (await manager.query(
      `delete from reset_requests where id =
         (select id from reset_requests order by id limit 1 for update skip locked)
       returning email`,
    )) as [{ email: string }[], number];
    if (!request) return false;
    const credential = await manager
      .createQueryBuilder(Credential, 'credential')
      .where('lower(credential.email) = lower(:email)', request)
      .getOne();
    if (credential) await this.links.sendReset(manager, credential);
    return true;
  }
}
