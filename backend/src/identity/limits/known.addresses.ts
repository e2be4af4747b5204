import { setLru } from '../../http/lru.map.js';

const knownMs = 30 * 86_400_000;
const addressesMax = 10;
const accountsMax = 10_000;

/**
 * The client addresses of successful sign-ins within 30 days: the ten most recent addresses of the 10,000 most recent
 * accounts. Kept in this process.
 */
export class KnownAddresses {
  private readonly accounts = new Map<string, Map<string, number>>();

  note(account: string, address: string, nowMs = Date.now()): void {
    const addresses = this.accounts.get(account) ?? new Map<string, number>();
    setLru(addresses, address, nowMs, addressesMax);
    setLru(this.accounts, account, addresses, accountsMax);
  }

  /** Forgets all addresses of an account. */
  forget(account: string): void {
    this.accounts.delete(account);
  }

  has(account: string, address: string, nowMs = Date.now()): boolean {
    const atMs = this.accounts.get(account)?.get(address);
    return atMs !== undefined && nowMs - atMs < knownMs;
  }
}
