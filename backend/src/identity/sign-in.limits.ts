import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { addressKey } from '../http/address.key.js';
import { AttemptLimiter } from './attempt.limiter.js';

/** The limits on signing in: per client address over all methods, and per account. In force per process. */
@Injectable()
export class SignInLimits {
  private readonly addresses: AttemptLimiter;
  private readonly accounts: AttemptLimiter;
  private readonly mails = new AttemptLimiter(
    limits.mailsPerAddressPerHour,
    3_600_000,
    (seconds) =>
      `This address was sent several mails already. Look for them, or ask again in ${Math.ceil(seconds / 60)} min`,
  );

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.addresses = new AttemptLimiter(environment.SIGN_IN_LIMIT_PER_ADDRESS);
    this.accounts = new AttemptLimiter(environment.SIGN_IN_LIMIT_PER_ACCOUNT);
  }

  /** Counts one attempt; throws `request.rateLimited`. An unknown account is counted like a known one. */
  attempt(address: string, account?: string): void {
    this.addresses.take(addressKey(address));
    if (account !== undefined) this.accounts.take(account);
  }

  /** Counts a mail somebody asks us to send to this address; throws `request.rateLimited`. */
  mail(email: string): void {
    this.mails.take(email.toLowerCase());
  }

  /** The account's owner got in: its earlier attempts no longer count. */
  succeeded(account: string): void {
    this.accounts.forget(account);
  }
}
