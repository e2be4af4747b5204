import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { addressKey } from '../http/address.key.js';
import { AttemptLimiter } from './attempt.limiter.js';

/** The limits on signing in: per client address over all methods, and per account. In force per process. */
@Injectable()
export class SignInLimits {
  private readonly addresses: AttemptLimiter;
  private readonly accounts: AttemptLimiter;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.addresses = new AttemptLimiter(environment.SIGN_IN_LIMIT_PER_ADDRESS);
    this.accounts = new AttemptLimiter(environment.SIGN_IN_LIMIT_PER_ACCOUNT);
  }

  /** Counts one attempt; throws `request.rateLimited`. An unknown account is counted like a known one. */
  attempt(address: string, account?: string): void {
    this.addresses.take(addressKey(address));
    if (account !== undefined) this.accounts.take(account);
  }

  /** The account's owner got in: its earlier attempts no longer count. */
  succeeded(account: string): void {
    this.accounts.forget(account);
  }
}
