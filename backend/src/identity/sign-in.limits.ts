import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { addressKey } from '../http/address.key.js';
import { AttemptLimiter } from './attempt.limiter.js';

const mailLimiter = (): AttemptLimiter =>
  new AttemptLimiter(
    limits.mailsPerAddressPerHour,
    3_600_000,
    (seconds) =>
      `This address was sent several mails already. Look for them, or ask again in ${Math.ceil(seconds / 60)} min`,
  );

/** From all addresses together, so that the owner is not kept out by the few attempts of somebody elsewhere. */
const fromAnywhere = 10;

/**
 * The limits on signing in: per client address over all methods, per account from one address, and, ten times as many,
 * per account from anywhere. In force per process.
 */
@Injectable()
export class SignInLimits {
  private readonly addresses: AttemptLimiter;
  private readonly accountsByAddress: AttemptLimiter;
  private readonly accounts: AttemptLimiter;
  // Apart, so that who has confirmations sent to a stranger's mailbox does not use up its owner's way back in.
  private readonly confirmations = mailLimiter();
  private readonly resets = mailLimiter();

  private readonly emailChanges = new AttemptLimiter(
    limits.emailChangesPerHour,
    3_600_000,
    (seconds) => `You changed your e-mail several times already. Try again in ${Math.ceil(seconds / 60)} min`,
  );

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.addresses = new AttemptLimiter(environment.SIGN_IN_LIMIT_PER_ADDRESS);
    const perAccount = environment.SIGN_IN_LIMIT_PER_ACCOUNT;
    this.accountsByAddress = new AttemptLimiter(perAccount);
    this.accounts = new AttemptLimiter(perAccount * fromAnywhere);
  }

  /** Counts one attempt; throws `request.rateLimited`. An unknown account is counted like a known one. */
  attempt(address: string, account?: string): void {
    this.addresses.take(addressKey(address));
    if (account === undefined) return;
    // First the narrow one: whoever is refused by it takes nothing from the others.
    this.accountsByAddress.take(accountAt(address, account));
    this.accounts.take(account);
  }

  /**
   * Counts a confirmation that is being written, under each of these names (its address, the account that has it sent)
   * or, when it throws `request.rateLimited`, under none. Answers what gives it back when it was not sent after all.
   */
  confirmation(...names: string[]): () => void {
    const taken: string[] = [];
    const giveBack = (): void => taken.splice(0).forEach((name) => this.confirmations.giveBack(name));
    try {
      for (const name of names) {
        this.confirmations.take(name.toLowerCase());
        taken.push(name.toLowerCase());
      }
    } catch (error) {
      giveBack();
      throw error;
    }
    return giveBack;
  }

  /**
   * Counts a request for a reset link, whether the address is known or not; throws `request.rateLimited`. What it
   * refuses is less than 12 minutes behind a request that had a link sent, which is good for an hour.
   */
  reset(email: string): void {
    this.resets.take(email.toLowerCase());
  }

  /** Counts a change of the e-mail in a profile, whose answer tells whether another has it; throws `request.rateLimited`. */
  emailChange(address: string, userId: string): void {
    this.attempt(address);
    this.emailChanges.take(userId);
  }

  /** The account's owner got in from this address: the earlier attempts no longer count. */
  succeeded(address: string, account: string): void {
    this.accountsByAddress.forget(accountAt(address, account));
    this.accounts.forget(account);
  }
}

const accountAt = (address: string, account: string): string => `${addressKey(address)} ${account}`;
