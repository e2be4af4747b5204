import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { addressKey, networkKey } from '../http/address.key.js';
import { AttemptLimiter } from './attempt.limiter.js';
import { KnownAddresses } from './known.addresses.js';

const mailLimiter = (): AttemptLimiter =>
  new AttemptLimiter(
    limits.mailsPerAddressPerHour,
    3_600_000,
    (seconds) =>
      `This address was sent several mails already. Look for them, or ask again in ${Math.ceil(seconds / 60)} min`,
  );

/** From all addresses together, so that the owner is not kept out by the few attempts of somebody elsewhere. */
const fromAnywhere = 10;

/** From all of an IPv6 /48. */
const fromNetwork = 5;

/** By what the attempts on the account of an e-mail address are counted, whether there is one or not. */
export const emailAccount = (email: string): string => `email:${email.toLowerCase()}`;

/**
 * The limits on signing in: per client address over all methods, per account from one address, and, ten times as many,
 * per account from anywhere; of IPv6 five times as many from a /48 of which each address is a /64. From where somebody
 * got into an account, its owner is not held up by what others try elsewhere. In force per process.
 */
@Injectable()
export class SignInLimits {
  private readonly addresses: AttemptLimiter;
  private readonly networks: AttemptLimiter;
  private readonly accountsByAddress: AttemptLimiter;
  private readonly accountsByNetwork: AttemptLimiter;
  private readonly accounts: AttemptLimiter;
  private readonly known = new KnownAddresses();
  // Apart, so that who has confirmations sent to a stranger's mailbox does not use up its owner's way back in.
  private readonly confirmations = mailLimiter();
  private readonly resets = mailLimiter();
  private readonly notices = mailLimiter();

  private readonly emailChanges = new AttemptLimiter(
    limits.emailChangesPerHour,
    3_600_000,
    (seconds) => `You changed your e-mail several times already. Try again in ${Math.ceil(seconds / 60)} min`,
  );

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    const perAddress = environment.SIGN_IN_LIMIT_PER_ADDRESS;
    this.addresses = new AttemptLimiter(perAddress);
    this.networks = new AttemptLimiter(perAddress * fromNetwork);
    const perAccount = environment.SIGN_IN_LIMIT_PER_ACCOUNT;
    this.accountsByAddress = new AttemptLimiter(perAccount);
    this.accountsByNetwork = new AttemptLimiter(perAccount * fromNetwork);
    this.accounts = new AttemptLimiter(perAccount * fromAnywhere);
  }

  /** Counts one attempt; throws `request.rateLimited`. An unknown account is counted like a known one. */
  attempt(address: string, account?: string): void {
    const key = addressKey(address);
    const network = networkKey(key);
    // The narrow ones first: whoever is refused by one takes nothing from the others.
    this.addresses.take(key);
    if (network !== null) this.networks.take(network);
    if (account === undefined) return;
    this.accountsByAddress.take(`${key} ${account}`);
    if (this.known.has(account, key)) return;
    if (network !== null) this.accountsByNetwork.take(`${network} ${account}`);
    this.accounts.take(account);
  }

  /**
   * Counts a confirmation that is being written, under each of these names (its address, the account that has it sent)
   * or, when it throws `request.rateLimited`, under none. Answers what gives it back when it was not sent after all.
   */
  confirmation(...names: string[]): () => void {
    return takeAll(this.confirmations, names);
  }

  /** The same for a mail that tells what was done to an account, under its kind and address. */
  notice(name: string): () => void {
    return takeAll(this.notices, [name]);
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

  /** The account's owner got in from this address: the earlier attempts from there no longer count. */
  succeeded(address: string, account: string): void {
    const key = addressKey(address);
    this.accountsByAddress.forget(`${key} ${account}`);
    this.known.note(account, key);
  }

  /**
   * The same for who made the account, or set its password by a link to its mailbox. From where others got in before
   * counts no more: they may have held an address that was not theirs.
   */
  passwordSet(address: string, account: string): void {
    this.known.forget(account);
    this.succeeded(address, account);
  }
}

function takeAll(limiter: AttemptLimiter, names: readonly string[]): () => void {
  const taken: string[] = [];
  const giveBack = (): void => taken.splice(0).forEach((name) => limiter.giveBack(name));
  try {
    for (const name of names.map((each) => each.toLowerCase())) {
      limiter.take(name);
      taken.push(name);
    }
  } catch (error) {
    giveBack();
    throw error;
  }
  return giveBack;
}
