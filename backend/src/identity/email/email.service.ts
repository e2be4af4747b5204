import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { LoginResult } from '@orange-id/contract/identity.schema';
import { DataSource, Repository } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { PortalError } from '../../http/portal.error.js';
import { Credential } from './credential.entity.js';
import { PasswordHasher } from './password.hasher.js';
import { SignInsService } from '../sign-ins/sign-ins.service.js';
import { embeddedIssuer, User } from '../user.entity.js';

/** Accounts with an e-mail address and a password. */
@Injectable()
export class EmailService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly signIns: SignInsService,
  ) {}

  /**
   * Makes an account and signs it in. The address counts as unverified, and no name is made up. Throws
   * `auth.emailTaken`; the database decides that, so of many at once exactly one succeeds.
   */
  async register(email: string, password: string): Promise<LoginResult> {
    const passwordHash = await this.hasher.hash(password);
    const id = newId();
    await this.dataSource.transaction(async (manager) => {
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(User)
        .values({ id, issuer: embeddedIssuer, subject: id, email, provider: 'email' })
        .orIgnore()
        .returning('id')
        .execute();
      if ((raw as unknown[]).length === 0) throw new PortalError('auth.emailTaken');
      await manager.insert(Credential, { userId: id, email, passwordHash });
    });
    return this.signIns.begin(id, 'email');
  }

  /** Throws `auth.credentialsInvalid`, with the same work done whether the account exists or not. */
  async login(email: string, password: string): Promise<LoginResult> {
    const row = await this.users
      .createQueryBuilder('user')
      .innerJoin(Credential, 'credential', 'credential.userId = user.id')
      .where('lower(credential.email) = lower(:email)', { email })
      .select(['user.id as id', 'credential.passwordHash as hash'])
      .getRawOne<{ id: string; hash: string }>();
    const isRight = await this.hasher.verify(row?.hash ?? null, password);
    if (!row || !isRight) throw new PortalError('auth.credentialsInvalid');
    return this.signIns.begin(row.id, 'email');
  }
}
