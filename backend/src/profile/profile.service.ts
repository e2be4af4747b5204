import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import type { ProfileResult, ProfileUpdate } from '@orange-id/contract/profile.schema';
import { QueryFailedError, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { PortalError } from '../http/portal.error.js';
import { User } from '../identity/user.entity.js';

const takenBy: Record<string, ErrorCode> = {
  users_email: 'profile.emailTaken',
  users_user_name: 'profile.userNameTaken',
};

/** What people say of themselves. An e-mail address that changes counts as unverified until it is proven. */
@Injectable()
export class ProfileService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** Changes the fields given and no others; an empty username, bio or country clears it. Throws the `…Taken` codes. */
  async update(user: User, update: ProfileUpdate): Promise<ProfileResult> {
    const changes: QueryDeepPartialEntity<User> = { updatedAt: () => 'now()' };
    if (update.userName !== undefined) changes.userName = update.userName || null;
    if (update.displayName !== undefined) changes.displayName = update.displayName;
    if (update.displayDesc !== undefined) changes.bio = update.displayDesc.trim() || null;
    if (update.country !== undefined) changes.country = update.country || null;
    if (update.email !== undefined) {
      changes.email = update.email;
      if (update.email.toLowerCase() !== user.email?.toLowerCase()) changes.emailVerified = false;
    }
    try {
      await this.users.update({ id: user.id }, changes);
    } catch (error) {
      throw takenError(error) ?? error;
    }
    return profileOf(await this.users.findOneByOrFail({ id: user.id }));
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
