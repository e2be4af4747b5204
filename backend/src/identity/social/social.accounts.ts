import { Injectable } from '@nestjs/common';
import { emailAddress } from '@orange-id/contract/identity.schema';
import type { LoginResult } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { profileFields } from '@orange-id/contract/profile.fields';
import { checkName } from '@orange-id/contract/text.rule';
import { DataSource, EntityManager } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { PortalError } from '../../http/portal.error.js';
import { holdEmail, holdIdentity } from '../../auth/account.locks.js';
import { EmailProof } from '../email/email.proof.js';
import { LinkedIdentity } from '../entities/linked-identity.entity.js';
import { LinkedAccountsService } from '../linked-accounts/linked-accounts.service.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { embeddedIssuer, User } from '../../auth/user.entity.js';
import type { Linking } from '../browser/browser.session.js';
import type { ProviderAccount } from './openid.clients.js';

/** Accounts that sign in with Google or Apple, found by the provider's id and nothing else. */
@Injectable()
export class SocialAccounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly linkedAccounts: LinkedAccountsService,
    private readonly proof: EmailProof,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Signs in. At the first sign-in, finds the account by an email address that the provider, this service and every
   * sign-in method of that account vouch for, or creates one; an unverified address matches nothing and takes nothing.
   */
  async signIn(provider: ProviderName, given: ProviderAccount, client: SignInClient): Promise<LoginResult> {
    const account = tidy(given);
    const { userId, identityId } = await this.dataSource.transaction(async (manager) => {
      if (account.email !== null) await holdEmail(manager, account.email);
      await holdIdentity(manager, provider, account.subject);
      const known = await manager.findOneBy(LinkedIdentity, { provider, subject: account.subject });
      const found = known
        ? { userId: known.userId, identityId: known.id }
        : await this.welcome(manager, provider, account, client.userAgent);
      await this.take(manager, found, account);
      return found;
    });
    return this.sessions.begin(userId, provider, client, { identityId });
  }

  /**
   * Adds the provider's account to a signed-in account, and returns tokens that replace the current ones. Throws what
   * `LinkedAccountsService.link` and `SessionsService.continueSession` throw.
   */
  async link(
    provider: ProviderName,
    given: ProviderAccount,
    { userId, sessionId }: Linking,
    userAgent?: string,
  ): Promise<LoginResult> {
    const account = tidy(given);
    return this.dataSource.transaction(async (manager) => {
      const { subject, email } = account;
      if (email !== null) await holdEmail(manager, email);
      await holdIdentity(manager, provider, subject);
      if (account.isEmailVerified) await this.proof.hold(manager, userId, email as string);
      const identityId = await this.linkedAccounts.link(manager, userId, provider, subject, email, userAgent);
      await this.take(manager, { userId, identityId }, account);
      return this.sessions.continueSession({ userId, sessionId, userAgent }, manager);
    });
  }

  /**
   * Requires that an account of this provider is linked to the user's account: the one with `subject`, or any. Throws
   * `auth.proofInvalid` or `auth.methodNotFound`.
   */
  async requireLinked(userId: string, provider: ProviderName, subject?: string): Promise<void> {
    const which = { userId, provider, ...(subject === undefined ? {} : { subject }) };
    if (await this.dataSource.manager.existsBy(LinkedIdentity, which)) return;
    if (subject === undefined) throw new PortalError('auth.methodNotFound');
    throw new PortalError('auth.proofInvalid', {
      message: 'The account you chose isn’t linked to your Orange ID account. Choose one that is',
    });
  }

  private async welcome(
    manager: EntityManager,
    provider: ProviderName,
    account: ProviderAccount,
    userAgent: string | undefined,
  ): Promise<{ userId: string; identityId: string }> {
    const { subject, email } = account;
    const owner = account.isEmailVerified ? await verifiedOwner(manager, email as string) : null;
    if (owner !== null) {
      // Locked before its sign-in methods are checked, so that none can be added afterwards.
      await this.proof.hold(manager, owner, email as string);
      const isStillOwner = (await verifiedOwner(manager, email as string)) === owner;
      if (isStillOwner && (await doAllMethodsVouch(manager, owner, email as string))) {
        return {
          userId: owner,
          identityId: await this.linkedAccounts.link(manager, owner, provider, subject, email, userAgent),
        };
      }
    }
    const userId = newId();
    await manager.insert(User, {
      id: userId,
      issuer: embeddedIssuer,
      subject: userId,
      provider,
      firstName: account.firstName,
      lastName: account.lastName,
      displayName: account.name,
      profileImageUrl: account.picture,
    });
    const identityId = newId();
    await manager.insert(LinkedIdentity, { id: identityId, userId, provider, subject, email });
    if (email !== null && !account.isEmailVerified) await claimFree(manager, userId, email);
    return { userId, identityId };
  }

  /** Updates the provider's email address for the account, and confirms it here if the provider vouches for it. */
  private async take(
    manager: EntityManager,
    { userId, identityId }: { userId: string; identityId: string },
    { email, isEmailVerified }: ProviderAccount,
  ): Promise<void> {
    if (email === null) return;
    // The account before the row: unlinking locks them in this order.
    if (isEmailVerified) await this.proof.hold(manager, userId, email);
    await manager.update(LinkedIdentity, { id: identityId }, { email, emailVerified: isEmailVerified });
    if (isEmailVerified) await this.proof.prove(manager, userId, email);
  }
}

/** The local account that has confirmed this address: by signing in with it, or else in the profile. */
async function verifiedOwner(manager: EntityManager, email: string): Promise<string | null> {
  const rows: { id: string }[] = await manager.query(
    `select u.id, 1 as rank from credentials c join users u on u.id = c.user_id
       where lower(c.email) = lower($1) and c.email_verified and u.issuer = $2
     union all select id, 2 from users where lower(email) = lower($1) and email_verified and issuer = $2
     order by rank limit 1`,
    [email, embeddedIssuer],
  );
  return rows[0]?.id ?? null;
}

/**
 * Whether every sign-in method of the account vouches for this address. A wallet, another address or a password that
 * somebody else set may belong to a stranger who made the mailbox owner confirm the account; the owner's provider
 * account must not be added to it.
 */
async function doAllMethodsVouch(manager: EntityManager, userId: string, email: string): Promise<boolean> {
  const others: unknown[] = await manager.query(
    `select from (
       select user_id, email, email_verified and vouched as vouches from credentials
       union all select user_id, email, email_verified from linked_identities
     ) as methods
     where user_id = $1 and (lower(email) = lower($2) and vouches) is not true
     limit 1`,
    [userId, email],
  );
  return others.length === 0;
}

/** The profile of a new account gets an unverified address only if no other account has it. */
async function claimFree(manager: EntityManager, userId: string, email: string): Promise<void> {
  await manager.query(
    `update users set email = $2 where id = $1
       and not exists (select from users where lower(email) = lower($2))
       and not exists (select from credentials where lower(email) = lower($2))`,
    [userId, email],
  );
}

/** The storable parts of a provider's data; invalid values count as missing. */
function tidy(account: ProviderAccount): ProviderAccount {
  const email = emailAddress.safeParse(account.email).data ?? null;
  return {
    subject: account.subject,
    email,
    isEmailVerified: email !== null && account.isEmailVerified,
    signedInAt: account.signedInAt,
    name: nameOf(account.name),
    firstName: nameOf(account.firstName),
    lastName: nameOf(account.lastName),
    picture: account.picture && isPicture(account.picture) ? account.picture : null,
  };
}

function nameOf(text: string | null): string | null {
  const verdict = checkName(text ?? '', profileFields.displayName.maxCharacters);
  return verdict.ok ? verdict.name : null;
}

const isPicture = (address: string): boolean =>
  address.length <= 2048 && URL.canParse(address) && new URL(address).protocol === 'https:';
