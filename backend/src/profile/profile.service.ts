import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import type { ProfileResult, ProfileUpdate } from '@orange-id/contract/profile.schema';
import { DataSource, EntityManager, QueryFailedError } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { PortalError } from '../http/portal.error.js';
import { holdAccount } from '../identity/account.lock.js';
import { AccountNotices } from '../identity/account.notices.js';
import { EmailLinks } from '../identity/email/email.links.js';
import { holdEmail } from '../identity/email/email.proof.js';
import { SignInLimits } from '../identity/sign-in.limits.js';
import { User } from '../identity/user.entity.js';
import { MailOutbox } from '../mail/mail.outbox.js';

const takenBy: Record<string, ErrorCode> = {
  users_email: 'profile.emailTaken',
  users_user_name: 'profile.userNameTaken',
};

/**
 * What people say of themselves. An e-mail address that changes counts as unverified until it is proven: a link goes
 * there. It is the one to be reached at, never the one to sign in with.
 */
@Injectable()
export class ProfileService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: EmailLinks,
    private readonly notices: AccountNotices,
    private readonly outbox: MailOutbox,
    private readonly signInLimits: SignInLimits,
  ) {}

  /**
   * Changes the fields given and no others; an empty username, bio or country clears it. `address` is the client's.
   * Throws the `…Taken` codes, and `request.rateLimited` when the e-mail is changed again and again.
   */
  async update(user: User, update: ProfileUpdate, address: string): Promise<ProfileResult> {
    const changes: QueryDeepPartialEntity<User> = { updatedAt: () => 'now()' };
    if (update.userName !== undefined) changes.userName = update.userName || null;
    if (update.displayName !== undefined) changes.displayName = update.displayName;
    if (update.displayDesc !== undefined) changes.bio = update.displayDesc.trim() || null;
    if (update.country !== undefined) changes.country = update.country || null;
    try {
      return await this.dataSource.transaction(async (manager) => {
        if (update.email !== undefined) await this.changeEmail(manager, user.id, update.email, address);
        await manager.update(User, { id: user.id }, changes);
        return profileOf(await manager.findOneByOrFail(User, { id: user.id }));
      });
    } catch (error) {
      throw takenError(error) ?? error;
    }
  }

  /**
   * An address this account has proven by signing in with it stays proven; any other is sent a link. What the address
   * is compared with is read once nobody else can change it: the guard read it before another request's change.
   */
  private async changeEmail(
    manager: EntityManager,
    userId: string,
    email: string,
    address: string,
  ): Promise<void> {
    const { email: left } = await manager.findOneByOrFail(User, { id: userId });
    const concerned = new Set([left ?? email, email].map((each) => each.toLowerCase()));
    // In one order, so that two accounts that swap addresses do not wait for each other.
    for (const each of [...concerned].sort()) await holdEmail(manager, each);
    await holdAccount(manager, userId);
    const { affected: respelt } = await manager
      .createQueryBuilder()
      .update(User)
      .set({ email })
      .where('id = :userId and lower(email) = lower(:email)', { userId, email })
      .execute();
    if (respelt) return;
    this.signInLimits.emailChange(address, userId);
    const [{ emailVerified }] = (await manager.query(
      `select exists (select from credentials
         where user_id = $1 and lower(email) = lower($2) and email_verified) as "emailVerified"`,
      [userId, email],
    )) as [{ emailVerified: boolean }];
    await this.notices.contactReplaced(manager, userId);
    await manager.update(User, { id: userId }, { email, emailVerified });
    if (emailVerified || !this.outbox.isConfigured) return;
    // Per account too, or it could have mail sent to one stranger after the other.
    await this.links.offerConfirmation(manager, { userId, email }, [`account:${userId}`]);
  }
}

function takenError(error: unknown): PortalError | null {
  if (!(error instanceof QueryFailedError)) return null;
  const { code, constraint } = error.driverError as Error & { code?: string; constraint?: string };
  const taken = code === '23505' && constraint !== undefined ? takenBy[constraint] : undefined;
  return taken ? new PortalError(taken, { cause: error }) : null;
}

const profileOf = (user: User): ProfileResult => ({
  picture: user.profileImageUrl,
  displayName: user.displayName,
  userName: user.userName,
  displayDesc: user.bio,
  country: user.country,
  email: user.email,
  updatedAt: user.updatedAt.toISOString(),
});
