import { Inject, Injectable } from '@nestjs/common';
import { withAsciiDomain } from '@orange-id/contract/email.rule';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { PortalError } from '../http/portal.error.js';
import type { User } from './user.entity.js';

/**
 * Who administers this portal: the accounts of `ADMINISTRATORS`, named by a confirmed email or by a wallet that proved
 * itself with a signature.
 */
@Injectable()
export class Administrators {
  private readonly names: ReadonlySet<string>;

  constructor(
    @Inject(ENVIRONMENT) { ADMINISTRATORS = [] }: Environment,
    private readonly dataSource: DataSource,
  ) {
    this.names = new Set(ADMINISTRATORS.map((name) => withAsciiDomain(name).toLowerCase()));
  }

  async has(user: Pick<User, 'id' | 'email' | 'emailVerified' | 'ethAddress'>): Promise<boolean> {
    if (this.names.size === 0) return false;
    if (user.emailVerified && user.email !== null && this.names.has(user.email.toLowerCase())) return true;
    if (user.ethAddress !== null && this.names.has(user.ethAddress.toLowerCase())) return true;
    const rows: unknown[] = await this.dataSource.query(
      `select 1 from linked_identities
       where user_id = $1 and provider = 'wallet' and lower(subject) = any($2) limit 1`,
      [user.id, [...this.names]],
    );
    return rows.length > 0;
  }

  /** Throws `forum.administratorRequired`. */
  async require(user: User): Promise<void> {
    if (!(await this.has(user))) throw new PortalError('forum.administratorRequired');
  }
}
