import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { perProfileField, type ProfileField } from '@orange-id/contract/profile.fields';
import { QueryFailedError, Repository } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { newId } from '../../database/new.id.js';
import { isShortage } from '../../http/error.filter.js';
import { User } from '../../auth/user.entity.js';
import type { RemoteUser } from './remote-user.schema.js';

type UpstreamFields = Partial<
  Pick<
    User,
    | ProfileField['storedAs']
    | 'emailVerified'
    | 'firstName'
    | 'profileImageUrl'
    | 'ethAddress'
    | 'waxAddress'
    | 'provider'
  >
>;

/**
 * Stores the users of a hosted identity service, with a copy of their names and contact data, so that projects and keys
 * have an owner in this database.
 */
@Injectable()
export class RemoteUsers {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  /**
   * The account of a user of the identity service, created when first seen and kept up to date. Missing fields stay
   * unchanged; an email address or a user name that another account has is stored as null.
   */
  async keep(remote: RemoteUser): Promise<User> {
    const user = (await this.find(remote.subject)) ?? (await this.add(remote));
    const changes = changesOf(user, upstreamFieldsOf(remote));
    return Object.keys(changes).length === 0 ? user : this.change(user, changes);
  }

  private find(subject: string): Promise<User | null> {
    return this.users.findOneBy({ issuer: this.issuer, subject });
  }

  /** Concurrent requests may see a user for the first time; both get the same row. */
  private async add({ subject, provider }: RemoteUser): Promise<User> {
    await this.users
      .createQueryBuilder()
      .insert()
      .values({ id: newId(), issuer: this.issuer, subject, provider: provider ?? 'passport' })
      .orIgnore()
      .execute();
    return this.users.findOneByOrFail({ issuer: this.issuer, subject });
  }

  private async change(user: User, changes: UpstreamFields): Promise<User> {
    try {
      await this.users.update({ id: user.id }, { ...changes, updatedAt: () => 'now()' });
    } catch (error) {
      // While the database is short of a resource, a change at the service can wait; a user who signs in to read must
      // not.
      if (isShortage(error)) return user;
      const without = withoutTaken(error, changes);
      if (!without) throw error;
      const left = changesOf(user, without);
      return Object.keys(left).length === 0 ? user : this.change(user, left);
    }
    return this.users.findOneByOrFail({ id: user.id });
  }

  private get issuer(): string {
    return this.environment.IDENTITY_URL as string;
  }
}

function upstreamFieldsOf(remote: RemoteUser): UpstreamFields {
  const { email, emailVerified, firstName, ethAddress, waxAddress, provider } = remote;
  return {
    ...perProfileField('storedAs', ({ storedAs }) => remote[storedAs]),
    ...(email === undefined ? {} : { emailVerified: email !== null && emailVerified === true }),
    firstName,
    displayName: firstDefined(remote.displayName, remote.name),
    profileImageUrl: firstDefined(remote.picture, remote.photoUrl, remote.profilePicture),
    ethAddress,
    waxAddress,
    provider,
  } as UpstreamFields;
}

/** The first of several equivalent fields that has a value; null if one is explicitly empty and none has a value. */
const firstDefined = (...values: (string | null | undefined)[]): string | null | undefined =>
  values.find((value) => value != null) ?? (values.includes(null) ? null : undefined);

const changesOf = (user: User, upstream: UpstreamFields): UpstreamFields =>
  Object.fromEntries(
    Object.entries(upstream).filter(
      ([name, value]) => value !== undefined && user[name as keyof User] !== value,
    ),
  );

/**
 * The changes, with null for the field that another account has according to the database error; null for other errors.
 */
function withoutTaken(error: unknown, changes: UpstreamFields): UpstreamFields | null {
  if (!(error instanceof QueryFailedError)) return null;
  const { code, constraint } = error.driverError as Error & { code?: string; constraint?: string };
  if (code !== '23505') return null;
  if (constraint === 'users_email' && changes.email) return { ...changes, email: null, emailVerified: false };
  if (constraint === 'users_user_name' && changes.userName) return { ...changes, userName: null };
  return null;
}
