import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { addressKey, networkKey } from '../../http/address.key.js';
import { AttemptLimiter } from '../../http/attempt.limiter.js';
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
      `Too many emails requested for this address. Check your inbox, or try again in ${waitInWords(seconds)}`,
  );

/** The mailbox of an address for counting emails: without letter case and `+tag` (RFC 5233). Never an identity. */
export function mailboxOf(email: string): string {
  const [local = '', ...domain] = email.toLowerCase().split('@');
  const plus = local.indexOf('+', 1);
  return [plus === -1 ? local : local.slice(0, plus), ...domain].join('@');
}

/** Factor of the limit for all addresses together, so that a few attempts from elsewhere do not lock the owner out. */
const fromAnywhere = 10;

/** Factor of the limit for a whole IPv6 /48. */
const fromNetwork = 5;

/** A household behind one address renews many sessions, and mail scanners open links before users do. */
const lookupsPerAttempt = 5;

/** The key under which attempts on the account of an email address are counted, whether it exists or not. */
export const emailAccount = (email: string): string => `email:${email.toLowerCase()}`;

/**
 * Limits the attempts to sign in, per process:
 * - of one client address, over all methods and accounts;
 * - of one client address on one account;
 * - of all addresses on one account, ten times as many. Addresses from which the owner signed in before are exempt, so
 *   that a stranger's attempts do not lock the owner out.
 *
 * For IPv6 a /64 counts as one address, and its /48 may make five times as many attempts.
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
  // Separate, so that confirmations sent to a stranger's mailbox do not keep its owner from a reset.
  private readonly confirmations = mailLimiter();
  private readonly resets = mailLimiter();
  private readonly unprovenResets = mailLimiter();
  private readonly notices = mailLimiter();
  private readonly mailsByClient: AttemptLimiter;
  private readonly mailsByNetwork: AttemptLimiter;

  private readonly emailChanges = new AttemptLimiter(
    limits.emailChangesPerHour,
    3_600_000,
    (seconds) => `Too many attempts to change your email. Try again in ${waitInWords(seconds)}`,
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
   * Counts a look-up by a secret that cannot be guessed (a refresh token, a link from an email), with five times the
   * limit of sign-in attempts; throws `request.rateLimited`.
   */
  lookup(address: string): void {
    const key = addressKey(address);
    const network = networkKey(key);
    this.lookups.take(key);
    if (network !== null) this.lookupsByNetwork.take(network);
  }

  /**
   * Counts a browser bound to an account, because it may add a row that stays for 30 days; throws
   * `request.rateLimited`.
   */
  browser(userId: string): void {
    this.browsers.take(userId);
  }

  /** Counts one attempt; throws `request.rateLimited`. An unknown account counts like a known one. */
  attempt(address: string, account?: string): void {
    const key = addressKey(address);
    const network = networkKey(key);
    // The narrow limits first: an attempt that one of them refuses does not count for the others.
    this.addresses.take(key);
    if (network !== null) this.networks.take(network);
    if (account === undefined) return;
    this.accountsByAddress.take(`${key} ${account}`);
    if (this.known.has(account, key)) return;
    if (network !== null) this.accountsByNetwork.take(`${network} ${account}`);
    this.accounts.take(account);
  }

  /**
   * Counts a confirmation email: for the requesting client, its mailbox, and each of `names` (the requesting account),
   * or, if it throws `request.rateLimited`, for none of them. Returns a function that undoes the count if the email is
   * not sent after all.
   */
  confirmation(client: string, email: string, names: readonly string[] = []): () => void {
    return takeAll([
      ...this.mailsOf(client),
      ...[mailboxOf(email), ...names].map((name): Take => [this.confirmations, name]),
    ]);
  }

  /** The same for an email about a change to an account, by its kind and mailbox. */
  notice(kind: string, email: string): () => void {
    return takeAll([[this.notices, `${kind}:${mailboxOf(email)}`]]);
  }

  /**
   * Counts a request for a reset link, whether the address is known or not; throws `request.rateLimited`. It counts for
   * the exact address: otherwise requests for other `+tag` addresses of the mailbox could use up its requests. After a
   * refusal the address still has a link that works: the last one was sent less than 12 minutes before, for an hour.
   */
  reset(client: string, email: string): void {
    takeAll([...this.mailsOf(client), [this.resets, email.toLowerCase()]]);
  }

  /** Counts a reset link to an unconfirmed address, for its mailbox; throws `request.rateLimited`. */
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

  /**
   * Counts a change of the profile's email address, because the response reveals whether an address is taken; throws
   * `request.rateLimited`.
   */
  emailChange(address: string, userId: string): void {
    this.attempt(address);
    this.emailChanges.take(userId);
  }

  /** The account's owner signed in from this address: earlier attempts from there no longer count. */
  succeeded(address: string, account: string): void {
    const key = addressKey(address);
    this.accountsByAddress.forget(`${key} ${account}`);
    this.known.note(account, key);
  }

  /**
   * The same for a user who created the account, or set its password by a link to its mailbox. Forgets the client
   * addresses of earlier sign-ins: they may be of a user who entered somebody else's email address.
   */
  passwordSet(address: string, account: string): void {
    this.known.forget(account);
    this.succeeded(address, account);
  }
}

type Take = [limiter: AttemptLimiter, name: string];

/** Counts under all of these or, if one throws, under none. Returns a function that undoes the count. */
function takeAll(takes: readonly Take[]): () => void {
  const counted: Take[] = [];
  const giveBack = (): void => counted.splice(0).forEach(([limiter, name]) => limiter.giveBack(name));
  try {
    for (const [limiter, name] of takes) {
      limiter.take(name);
      counted.push([limiter, name]);
    }
  } catch (error) {
    giveBack();
    throw error;
  }
  return giveBack;
}
