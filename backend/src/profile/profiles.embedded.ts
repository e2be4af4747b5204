import { Injectable, Logger } from '@nestjs/common';
import { defaultAvatar } from '@orange-id/contract/avatar.rule';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import { perProfileField, type ProfileField } from '@orange-id/contract/profile.fields';
import type {
  PictureAnswer,
  ProfileResult,
  ProfileUpdate,
  UpstreamProfile,
} from '@orange-id/contract/profile.schema';
import { createHash } from 'node:crypto';
import { DataSource, EntityManager, QueryFailedError } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { PortalError } from '../http/portal.error.js';
import { AccountNotices } from '../identity/mails/account.notices.js';
import { EmailLinks } from '../identity/mails/email.links.js';
import { EmailProof } from '../identity/email/email.proof.js';
import { shownField } from '../identity/sessions/identity-user.mapper.js';
import { SignInLimits } from '../identity/limits/sign-in.limits.js';
import { holdActiveSession, holdEmail } from '../auth/account.locks.js';
import { User } from '../auth/user.entity.js';
import { MailOutbox } from '../mail/mail.outbox.js';
import { PictureConverter } from './pictures/picture.converter.js';
import { PicturesService } from './pictures/pictures.service.js';
import { Profiles } from './profiles.port.js';
import type { Caller, SentPicture } from './profiles.port.js';
import type { ProfileMirror } from './profiles.remote.js';

/** The fields that are stored as they are sent; a changed email address has rules of its own. */
type Kept = Pick<User, Exclude<ProfileField['storedAs'], 'email'>>;

const takenBy: Record<string, ErrorCode> = {
  users_email: 'profile.emailTaken',
  users_user_name: 'profile.userNameTaken',
};

/**
 * Profile data. A changed email address counts as unverified until it is confirmed through a link; a confirmed one stays
 * the contact until then. It is never the one to sign in with.
 */
@Injectable()
export class EmbeddedProfiles extends Profiles implements ProfileMirror {
  private readonly logger = new Logger('Profiles');

  constructor(
    private readonly dataSource: DataSource,
    private readonly links: EmailLinks,
    private readonly proof: EmailProof,
    private readonly notices: AccountNotices,
    private readonly outbox: MailOutbox,
    private readonly signInLimits: SignInLimits,
    private readonly pictures: PicturesService,
    private readonly converter: PictureConverter,
  ) {
    super();
  }

  async update(caller: Omit<Caller, 'token'>, update: ProfileUpdate): Promise<ProfileResult> {
    const { user, address } = caller;
    const changes = columnsOf(keptOf(update));
    try {
      return await this.dataSource.transaction(async (manager) => {
        if (update.email !== undefined) {
          await this.changeEmail(manager, caller, update.email, () =>
            this.signInLimits.emailChange(address, user.id),
          );
        }
        await manager.update(User, { id: user.id }, changes);
        return profileOf(await manager.findOneByOrFail(User, { id: user.id }));
      });
    } catch (error) {
      throw takenError(error) ?? error;
    }
  }

  /** Uploading the default photo removes the photo: its URL is stored, so that every page knows that there is none. */
  async changePicture({ user }: Caller, { bytes, format }: SentPicture): Promise<PictureAnswer> {
    if (createHash('sha256').update(bytes).digest('hex') === defaultAvatar.sha256)
      return { picture: await this.pictures.reset(user.id) };
    const converted = await this.converter.convert(bytes, format);
    return { picture: await this.pictures.change(user.id, converted) };
  }

  countEmailChange({ user, address }: Caller, email: string): void {
    if (shownField(user, 'email')?.toLowerCase() !== email.toLowerCase())
      this.signInLimits.emailChange(address, user.id);
  }

  /**
   * Stores the fields that a hosted service returned. Removes only fields that it was asked to clear, adds no address
   * that the owner did not enter here, and skips values that another account here uses.
   */
  async keep(caller: Caller, update: ProfileUpdate, upstream: UpstreamProfile): Promise<void> {
    const changes = keptOf({ ...update, ...present(upstream) });
    const email = update.email === undefined ? undefined : (upstream.email ?? update.email);
    await this.keepUntaken(caller, { changes, email });
    if (upstream.picture) await this.pictures.changeElsewhere(caller.user.id, upstream.picture);
  }

  async keepPicture({ user }: Caller, picture: string): Promise<void> {
    await this.pictures.changeElsewhere(user.id, picture);
  }

  private async keepUntaken(
    caller: Omit<Caller, 'token'>,
    { changes, email }: { changes: Partial<Kept>; email: string | undefined },
  ): Promise<void> {
    const { id: userId } = caller.user;
    try {
      await this.dataSource.transaction(async (manager) => {
        if (email !== undefined) await this.changeEmail(manager, caller, email);
        await manager.update(User, { id: userId }, columnsOf(changes));
      });
    } catch (error) {
      const taken = error instanceof PortalError ? error.code : takenError(error)?.code;
      if (taken === 'profile.emailTaken' && email !== undefined) {
        this.logger.warn(`The new email of ${userId} wasn’t stored: another account here already has it`);
        return this.keepUntaken(caller, { changes, email: undefined });
      }
      if (taken !== 'profile.userNameTaken' || changes.userName == null) throw error;
      this.logger.warn(`The new username of ${userId} wasn’t stored: another account here already has it`);
      const { userName: _, ...rest } = changes;
      return this.keepUntaken(caller, { changes: rest, email });
    }
  }

  /**
   * Changes the profile's address. One that this account has confirmed for its password replaces the stored one at once;
   * any other is sent a link, and waits in `pendingEmail` if the stored one is confirmed, so that the account keeps a
   * proven contact. One that another profile has without proof waits too, and blocks nobody. The stored address is read
   * after locking the account: the guard's copy may predate another request's change.
   */
  private async changeEmail(
    manager: EntityManager,
    caller: Omit<Caller, 'token'>,
    email: string,
    count: () => void = () => undefined,
  ): Promise<void> {
    const { id: userId } = caller.user;
    const { email: left } = await manager.findOneByOrFail(User, { id: userId });
    const concerned = new Set([left ?? email, email].map((each) => each.toLowerCase()));
    // In a fixed order, so that two accounts that swap addresses do not deadlock.
    for (const each of [...concerned].sort()) await holdEmail(manager, each);
    const isProven = await this.proof.isProvenForPassword(manager, userId, email);
    if (isProven) await this.proof.hold(manager, userId, email);
    await holdActiveSession(manager, caller);
    const stored = await manager.findOneByOrFail(User, { id: userId });
    const isSame = (address: string | null): boolean => address?.toLowerCase() === email.toLowerCase();
    if (isSame(stored.pendingEmail)) return this.set(manager, userId, { pendingEmail: email });
    if (isSame(stored.email)) return this.set(manager, userId, { email, pendingEmail: null });
    if (caller.provenStays !== null && stored.emailVerified) throw caller.provenStays;
    count();
    if (isProven) {
      await this.notices.contactReplaced(manager, userId);
      if (!(await this.proof.makeContact(manager, userId, email)))
        throw new PortalError('profile.emailTaken');
      return;
    }
    const other = await otherWith(manager, userId, email);
    if (other?.emailVerified) throw new PortalError('profile.emailTaken');
    if (stored.emailVerified) {
      await this.notices.contactAsked(manager, userId);
      await this.set(manager, userId, { pendingEmail: email });
    } else if (other) await this.set(manager, userId, { email: null, pendingEmail: email });
    else await this.set(manager, userId, { email, pendingEmail: null });
    if (!this.outbox.isConfigured) return;
    // Per account too; otherwise it could have emails sent to one address after another.
    await this.links.offerConfirmation(
      manager,
      { userId, email },
      { client: caller.address, countedFor: [`account:${userId}`] },
    );
  }

  private async set(
    manager: EntityManager,
    userId: string,
    addresses: Partial<Pick<User, 'email' | 'pendingEmail'>>,
  ): Promise<void> {
    await manager.update(User, { id: userId }, addresses);
  }
}

/** The account whose profile has this address, if it is another one. */
const otherWith = (manager: EntityManager, userId: string, email: string): Promise<User | null> =>
  manager
    .createQueryBuilder(User, 'user')
    .where('user.id <> :userId and lower(user.email) = lower(:email)', { userId, email })
    .getOne();

function takenError(error: unknown): PortalError | null {
  if (!(error instanceof QueryFailedError)) return null;
  const { code, constraint } = error.driverError as Error & { code?: string; constraint?: string };
  const taken = code === '23505' && constraint !== undefined ? takenBy[constraint] : undefined;
  return taken ? new PortalError(taken, { cause: error }) : null;
}

const profileOf = (user: User): ProfileResult => ({
  picture: user.profileImageUrl,
  ...perProfileField('sentAs', ({ storedAs }) => shownField(user, storedAs)),
  updatedAt: user.updatedAt.toISOString(),
});

/** The fields with a value in an update or a response, under their stored names. */
function keptOf(sent: UpstreamProfile): Partial<Kept> {
  const { email: _, ...kept } = perProfileField('storedAs', ({ sentAs }) => sent[sentAs]);
  return present(kept);
}

/** The columns that store these values: trimmed, and null if empty. */
const columnsOf = (changes: Partial<Kept>): QueryDeepPartialEntity<User> => ({
  ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value?.trim() || null])),
  updatedAt: () => 'now()',
});

/** Keeps the fields that are neither missing nor null. An empty text stays, because it clears a field. */
const present = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Partial<T>;
