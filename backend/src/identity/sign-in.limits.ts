import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.words';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { addressKey, networkKey } from '../http/address.key.js';
import { AttemptLimiter } from './attempt.limiter.js';
import { KnownAddresses } from './known.addresses.js';

const clientMailLimiter = (limit: number): AttemptLimiter =>
  new AttemptLimiter(
    limit,
    3_600_000,
    (seconds) => `Too many emails requested from your network. Try again in ${waitInWords(seconds)}`,
  );

const mailLimiter = (): AttemptLimiter =>
  new AttemptLimiter(
    limits.mailsPerAddressPerHour,
    3_600_000,
    (seconds) =>
      `We already sent several emails to this address. Check your inbox, or try again in ${waitInWords(seconds)}`,
  );

/** The mailbox an address leads to, as mails are counted: without letter case and `+tag` (RFC 5233). Never an identity. */
export function mailboxOf(email: string): string {
  const [local = '', ...domain] = email.toLowerCase().split('@');
  const plus = local.indexOf('+', 1);
  return [plus === -1 ? local : local.slice(0, plus), ...domain].join('@');
}

/** From all addresses together, so that the owner is not kept out by the few attempts of somebody elsewhere. */
const fromAnywhere = 10;

/** From all of an IPv6 /48. */
const fromNetwork = 5;

/** A household behind one address renews many sessions, and programs open the links in a mail before people do. */
const lookupsPerAttempt = 5;

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
  private readonly lookups: AttemptLimiter;
  private readonly lookupsByNetwork: AttemptLimiter;
  private readonly networks: AttemptLimiter;
  private readonly accountsByAddress: AttemptLimiter;
  private readonly accountsByNetwork: AttemptLimiter;
  private readonly accounts: AttemptLimiter;
  private readonly known = new KnownAddresses();
  // Apart, so that who has confirmations sent to a stranger's mailbox does not use up its owner's way back in.
  private readonly confirmations = mailLimiter();
  private readonly resets = mailLimiter();
  private readonly unprovenResets = mailLimiter();
  private readonly notices = mailLimiter();
  private readonly mailsByClient: AttemptLimiter;
  private readonly mailsByNetwork: AttemptLimiter;

  private readonly emailChanges = new AttemptLimiter(
    limits.emailChangesPerHour,
    3_600_000,
    (seconds) => `You’ve changed your email too many times. Try again in ${waitInWords(seconds)}`,
  );

  private readonly browsers = new AttemptLimiter(limits.browsersPerAccountPerHour, 3_600_000);

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    const perAddress = environment.SIGN_IN_LIMIT_PER_ADDRESS;
    this.addresses = new AttemptLimiter(perAddress);
    this.lookups = new AttemptLimiter(perAddress * lookupsPerAttempt);
    this.lookupsByNetwork = new AttemptLimiter(perAddress * lookupsPerAttempt * fromNetwork);
    this.networks = new AttemptLimiter(perAddress * fromNetwork);
    const perAccount = environment.SIGN_IN_LIMIT_PER_ACCOUNT;
    this.accountsByAddress = new AttemptLimiter(perAccount);
    this.accountsByNetwork = new AttemptLimiter(perAccount * fromNetwork);
    this.accounts = new AttemptLimiter(perAccount * fromAnywhere);
    const perClient = environment.MAIL_LIMIT_PER_CLIENT;
    this.mailsByClient = clientMailLimiter(perClient);
    this.mailsByNetwork = clientMailLimiter(perClient * fromNetwork);
  }

  /**
   * Counts a look-up by a secret that cannot be guessed (a refresh token, a link from a mail), five times as many as
   * attempts to sign in; throws `request.rateLimited`.
   */
  lookup(address: string): void {
    const key = addressKey(address);
    const network = networkKey(key);
    this.lookups.take(key);
    if (network !== null) this.lookupsByNetwork.take(network);
  }

  /** Counts a browser that is noted for an account, which may be a row for 30 days; throws `request.rateLimited`. */
  browser(userId: string): void {
    this.browsers.take(userId);
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
   * Counts a confirmation that is being written: for the client that has it sent, its mailbox, and each of `names` (the
   * account that has it sent), or, when it throws `request.rateLimited`, for none of them. Answers what gives it back
   * when it was not sent after all.
   */
  confirmation(client: string, email: string, names: readonly string[] = []): () => void {
    return takeAll([
      ...this.mailsOf(client),
      ...[mailboxOf(email), ...names].map((name): Take => [this.confirmations, name]),
    ]);
  }

  /** The same for a mail that tells what was done to an account, by its kind and mailbox. */
  notice(kind: string, email: string): () => void {
    return takeAll([[this.notices, `${kind}:${mailboxOf(email)}`]]);
  }

  /**
   * Counts a request for a reset link, whether the address is known or not; throws `request.rateLimited`. What is
   * refused for the address is less than 12 minutes behind a request that had a link sent, which is good for an hour.
   * So it is counted by the address as it is: other tags of a mailbox have no link sent to this one.
   */
  reset(client: string, email: string): void {
    takeAll([...this.mailsOf(client), [this.resets, email.toLowerCase()]]);
  }

  /** Counts a reset link that goes to an address which was only typed, for its mailbox; throws `request.rateLimited`. */
  unprovenReset(email: string): () => void {
    return takeAll([[this.unprovenResets, mailboxOf(email)]]);
  }

  private mailsOf(client: string): Take[] {
    const key = addressKey(client);
    const network = networkKey(key);
    return [
      [this.mailsByClient, key],
      ...(network === null ? [] : ([[this.mailsByNetwork, network]] as Take[])),
    ];
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

type Take = [limiter: AttemptLimiter, name: string];

/** Counts under all of these or, when one throws, under none. Answers what gives it back. */
function takeAll(takes: readonly Take[]): () => void {
  const taken: Take[] = [];
  const giveBack = (): void => taken.splice(0).forEach(([limiter, name]) => limiter.giveBack(name));
  try {
    for (const [limiter, name] of takes) {
      limiter.take(name);
      taken.push([limiter, name]);
    }
  } catch (error) {
    giveBack();
    throw error;
  }
  return giveBack;
}
