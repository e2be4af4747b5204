import { Injectable } from '@nestjs/common';
import type {
  EmailRegister,
  LoginResult,
  SignInMethod,
  WalletLink,
} from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { DataSource, EntityManager } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { PortalError } from '../../http/portal.error.js';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { holdAccount, holdActiveSession, holdEmail, holdIdentity } from '../../auth/account.locks.js';
import { AccountNotices } from '../mails/account.notices.js';
import { AccountChanges } from '../changes/account.changes.js';
import { Credential } from '../entities/credential.entity.js';
import { EmailLinks } from '../mails/email.links.js';
import { EmailService } from '../email/email.service.js';
import type { PasswordSet } from '../email/email.service.js';
import { PasswordHasher } from '../email/password.hasher.js';
import { passwordMark } from '../email/password.mark.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { embeddedIssuer } from '../../auth/user.entity.js';
import { requireNoKeyProof } from '../sessions/key.proof.js';
import { WalletService } from '../wallet/wallet.service.js';
import { LinkedIdentity } from '../entities/linked-identity.entity.js';
import { linkedAccountText } from '../mails/linked.account.text.js';

/** The caller: the account, the session of the bearer token, and the browser. */
export interface Caller {
  userId: string;
  sessionId: string;
  userAgent: string | undefined;
}

export type LinkedProvider = 'wallet' | 'google' | 'apple';

/**
 * The sign-in methods of an account. The database ensures that each belongs to one account, and the last one cannot be
 * removed.
 */
@Injectable()
export class LinkedAccountsService {
  constructor(
    private readonly changes: AccountChanges,
    private readonly dataSource: DataSource,
    private readonly emails: EmailService,
    private readonly hasher: PasswordHasher,
    private readonly links: EmailLinks,
    private readonly notices: AccountNotices,
    private readonly outbox: MailOutbox,
    private readonly sessions: SessionsService,
    private readonly wallets: WalletService,
  ) {}

  /** The sign-in methods of an account, oldest first. The id of a password method is that of its account. */
  async list(userId: string, manager: EntityManager = this.dataSource.manager): Promise<SignInMethod[]> {
    const credentials = await manager.findBy(Credential, { userId });
    const identities = await manager.findBy(LinkedIdentity, { userId });
    return [...credentials.map(ofCredential), ...identities.map(ofIdentity)].sort(
      (a, b) => a.linkedAt.localeCompare(b.linkedAt) || a.id.localeCompare(b.id),
    );
  }

  /**
   * Links a verified account of a provider, in the caller's transaction. `subject` is its permanent id (a checksummed
   * address, an OpenID `sub`), `email` the provider's name for it. A wallet becomes the address of the account if it
   * has none. Throws `auth.methodLinked`, `auth.walletUsed`, `auth.socialUsed` and `auth.methodsLimitReached`. Returns
   * the id of the new method.
   */
  async link(
    manager: EntityManager,
    userId: string,
    provider: LinkedProvider,
    subject: string,
    email: string | null,
    userAgent?: string,
  ): Promise<string> {
    await holdIdentity(manager, provider, subject);
    await holdAccount(manager, userId);
    const known = await manager.findOneBy(LinkedIdentity, { provider, subject });
    if (known?.userId === userId) throw new PortalError('auth.methodLinked');
    if (known) throw used(provider);
    await this.requireRoom(manager, userId);
    const id = newId();
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(LinkedIdentity)
      .values({ id, userId, provider, subject, email })
      .orIgnore()
      .returning('id')
      .execute();
    if ((raw as unknown[]).length === 0) throw used(provider);
    if (provider === 'wallet') await chooseAddress(manager, userId);
    const label = labelOf(provider, subject, email);
    await this.noteChange(manager, userId, 'added', { provider, label }, userAgent);
    return id;
  }

  /**
   * Links the wallet that has just signed this message. Returns tokens that replace the caller's. Throws what
   * `WalletService.proveWalletHere` and `link` throw.
   */
  async linkWallet(caller: Caller, body: WalletLink): Promise<LoginResult> {
    const { address, by } = await this.wallets.proveWalletHere(caller.userId, body);
    return this.dataSource.transaction(async (manager) => {
      if (by === 'chain') await requireNoKeyProof(manager, address);
      await this.link(manager, caller.userId, 'wallet', address, null, caller.userAgent);
      return this.sessions.continueSession(caller, manager);
    });
  }

  /**
   * Gives the account an email address and a password to sign in with, and sends the link that confirms the address
   * unless the account has confirmed it already. A profile without an address gets it, unverified. Returns tokens that
   * replace the caller's. Throws `auth.methodLinked`, `auth.emailTaken`, `auth.mailNotConfigured`,
   * `auth.passwordCommon` and `auth.methodsLimitReached`.
   */
  async linkEmail(caller: Caller, { email, password }: EmailRegister, client: string): Promise<PasswordSet> {
    const { userId } = caller;
    this.outbox.requireConfigured();
    const passwordHash = await this.hasher.hash(password);
    return this.dataSource.transaction(async (manager) => {
      await holdEmail(manager, email);
      await holdAccount(manager, userId);
      if (await manager.existsBy(Credential, { userId })) throw new PortalError('auth.methodLinked');
      await this.requireRoom(manager, userId);
      await this.emails.claim(manager, { userId, email, passwordHash }, client);
      await this.noteChange(manager, userId, 'added', { provider: 'email', label: email }, caller.userAgent);
      await manager.query(
        `update users set email = $2, email_verified = false, updated_at = now()
         where id = $1 and email is null and not exists (select from users where lower(email) = lower($2))`,
        [userId, email],
      );
      const result = await this.sessions.continueSession(caller, manager);
      return { result, mark: passwordMark(passwordHash) };
    });
  }

  /**
   * Removes a method and ends the sessions begun with it, except the caller's. Throws `auth.methodNotFound`, and
   * `auth.lastMethod` for the last method, also for concurrent requests.
   */
  async unlink({ userId, sessionId, userAgent }: Caller, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await holdActiveSession(manager, { user: { id: userId, issuer: embeddedIssuer }, sessionId });
      const methods = await this.list(userId, manager);
      const method = methods.find((each) => each.id === id);
      if (!method) throw new PortalError('auth.methodNotFound');
      if (methods.length === 1) throw new PortalError('auth.lastMethod');
      const { provider } = method;
      const identityId = provider === 'email' ? null : id;
      // Locked before the sessions end, so that a concurrent sign-in with this method is either ended below or refused.
      await manager.query(
        identityId === null
          ? 'select from credentials where user_id = $1 for update'
          : 'select from linked_identities where id = $1 for update',
        [id],
      );
      await this.noteChange(manager, userId, 'removed', method, userAgent);
      await this.sessions.endByMethod(manager, { userId, provider, identityId, keepId: sessionId });
      if (identityId === null) {
        await this.links.endAll(manager, 'reset', userId);
        await manager.delete(Credential, { userId });
      } else {
        await manager.delete(LinkedIdentity, { id });
        if (provider === 'wallet') await chooseAddress(manager, userId);
      }
    });
  }

  /** Informs the account's owner: in the product, and by email to every confirmed address. */
  private async noteChange(
    manager: EntityManager,
    userId: string,
    action: 'added' | 'removed',
    { provider, label }: Pick<SignInMethod, 'provider' | 'label'>,
    userAgent: string | undefined,
  ): Promise<void> {
    await this.notices.methodChanged(manager, userId, { action, method: linkedAccountText(provider, label) });
    const kind = action === 'added' ? 'methodAdded' : 'methodRemoved';
    await this.changes.note(manager, userId, { kind, method: { provider, label }, userAgent });
  }

  private async requireRoom(manager: EntityManager, userId: string): Promise<void> {
    const methods = await this.list(userId, manager);
    if (methods.length >= limits.signInMethodsPerUser) throw new PortalError('auth.methodsLimitReached');
  }
}

/** The address of an account: the stored one while it is linked, else the wallet linked first, else none. */
async function chooseAddress(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(
    `update users set updated_at = now(), eth_address = (
       select subject from linked_identities
       where user_id = $1 and provider = 'wallet'
       order by subject = users.eth_address desc nulls last, created_at, id limit 1
     ) where id = $1`,
    [userId],
  );
}

const used = (provider: LinkedProvider): PortalError =>
  new PortalError(provider === 'wallet' ? 'auth.walletUsed' : 'auth.socialUsed');

const titles: Record<string, string> = { google: 'Google account', apple: 'Apple account' };

/** The name by which its owner knows a linked identity. */
const labelOf = (provider: string, subject: string, email: string | null): string =>
  provider === 'wallet' ? subject : (email ?? titles[provider] ?? provider);

const ofCredential = ({ userId, email, emailVerified, createdAt }: Credential): SignInMethod => ({
  id: userId,
  provider: 'email',
  label: email,
  isVerified: emailVerified,
  linkedAt: createdAt.toISOString(),
});

const ofIdentity = ({ id, provider, subject, email, createdAt }: LinkedIdentity): SignInMethod => ({
  id,
  provider: provider as LinkedProvider,
  label: labelOf(provider, subject, email),
  isVerified: true,
  linkedAt: createdAt.toISOString(),
});
