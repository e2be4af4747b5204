import { limits } from '@orange-id/contract/limits';
import { otherOrigins } from '@orange-id/contract/origin.rule';
import type { MeteredCall } from './metered.call.js';

interface Aggregated {
  keyId: string;
  userId: string;
  /** `null` if no call was counted since the last `take`. */
  call: MeteredCall | null;
}

/**
 * Aggregates refused calls, so that refusals stay cheap and cannot fill the disk: each `take` (once a second) returns
 * one row per key, route, outcome and origin. Origins are kept only for blocked calls and calls with a revoked key, up
 * to `limits.refusedOriginsPerKey` per key; since any client can invent origins, the rest share one row. An owner gets
 * at most `limits.refusedRowsPerOwner` rows a second; the rest stay aggregated until their turn.
 */
export class CallAggregator {
  private readonly entries = new Map<string, Aggregated>();
  private readonly originsOf = new Map<string, number>();
  /** Rows written in this second, by owner. */
  private readonly rowsOf = new Map<string, number>();

  /** Counts a call refused by the rate limit or the quota. */
  add(call: MeteredCall): void {
    const name = nameOf(call, '');
    const entry = this.entries.get(name);
    if (entry) count(entry, call);
    else this.entries.set(name, { keyId: call.keyId, userId: call.userId, call });
  }

  /**
   * Returns the origin under which to store a blocked call or a call with a revoked key. If `isFirst` is true, the
   * caller stores the call as its own row at once, so that an owner who tests a page sees the call immediately. Later
   * calls within the second are counted here.
   */
  addByOrigin(call: MeteredCall): { isFirst: boolean; origin: string | null } {
    const known = this.entries.get(nameOf(call, call.origin));
    if (known) {
      count(known, call);
      return { isFirst: false, origin: call.origin };
    }
    const origins = this.originsOf.get(call.keyId) ?? 0;
    if (origins < limits.refusedOriginsPerKey) {
      this.originsOf.set(call.keyId, origins + 1);
      return this.begin(call);
    }
    const other = { ...call, origin: otherOrigins };
    const entry = this.entries.get(nameOf(other, otherOrigins));
    if (!entry) return this.begin(other);
    count(entry, other);
    return { isFirst: false, origin: otherOrigins };
  }

  /**
   * Returns the aggregated calls that fit each owner's row limit, or all of them with `all` (at shutdown). Drops names
   * without calls since the last `take`.
   */
  take(all = false): MeteredCall[] {
    const calls: MeteredCall[] = [];
    this.originsOf.clear();
    for (const [name, entry] of [...this.entries]) {
      const { call, keyId, userId } = entry;
      const isTaken = call !== null && (all || this.hasRoom(userId));
      if (call === null || (isTaken && !isByOrigin(call))) this.entries.delete(name);
      else if (isByOrigin(call) && call.origin !== otherOrigins) {
        this.originsOf.set(keyId, (this.originsOf.get(keyId) ?? 0) + 1);
      }
      if (!isTaken) continue;
      calls.push(call);
      entry.call = null;
      // Moves this name behind those that still wait for their turn.
      if (this.entries.delete(name)) this.entries.set(name, entry);
    }
    this.rowsOf.clear();
    return calls;
  }

  private begin(call: MeteredCall): { isFirst: boolean; origin: string | null } {
    // The other half is reserved for names that already wait, so that new names cannot starve them.
    const isFirst = this.hasRoom(call.userId, limits.refusedRowsPerOwner / 2);
    const { keyId, userId, origin } = call;
    this.entries.set(nameOf(call, origin), { keyId, userId, call: isFirst ? null : call });
    return { isFirst, origin };
  }

  /** Whether the owner may have one more row this second; counts it if so. */
  private hasRoom(userId: string, most: number = limits.refusedRowsPerOwner): boolean {
    const rows = this.rowsOf.get(userId) ?? 0;
    if (rows >= most) return false;
    this.rowsOf.set(userId, rows + 1);
    return true;
  }
}

const isByOrigin = ({ outcome }: MeteredCall): boolean => outcome === 'blocked' || outcome === 'revoked';

function count(entry: Aggregated, call: MeteredCall): void {
  if (entry.call === null) entry.call = call;
  else entry.call.calls += call.calls;
}

const nameOf = ({ keyId, method, endpoint, outcome }: MeteredCall, origin: string | null): string =>
  `${keyId} ${method} ${endpoint} ${outcome} ${origin}`;
