const knownMs = 30 * 86_400_000;
const addressesMax = 10;
const accountsMax = 10_000;

/**
 * From where accounts were got into within 30 days: the ten last addresses of the 10,000 last accounts. Kept in this
 * process.
 */
export class KnownAddresses {
  private readonly accounts = new Map<string, Map<string, number>>();

  note(account: string, address: string, nowMs = Date.now()): void {
    const addresses = this.accounts.get(account) ?? new Map<string, number>();
    putLast(addresses, address, nowMs, addressesMax);
    putLast(this.accounts, account, addresses, accountsMax);
  }

  /** Nobody got in from anywhere any more. */
  forget(account: string): void {
    this.accounts.delete(account);
  }

  has(account: string, address: string, nowMs = Date.now()): boolean {
    const atMs = this.accounts.get(account)?.get(address);
    return atMs !== undefined && nowMs - atMs < knownMs;
  }
}

/** A map keeps the order in which keys were added: the first is the one that was not noted for the longest. */
function putLast<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
